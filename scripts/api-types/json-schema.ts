/** As much of JSON Schema as the descriptions of our operations use. */
export type JsonSchema = {
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  patternProperties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema | readonly JsonSchema[];
  prefixItems?: readonly JsonSchema[];
  format?: string;
  description?: string;
};

type Media = Readonly<Record<string, { schema?: JsonSchema }>>;

export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: JsonSchema };

export type DescribedOperation = {
  operationId?: string;
  summary?: string;
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Media };
  responses: Readonly<Record<string, { content?: Media }>>;
};

/** As much of an OpenAPI document as types are made of. */
export type OpenApiDocument = { paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>> };
