import type { DescribedOperation, JsonSchema, OpenApiDocument, Parameter } from "./json-schema.ts";
import { comment, field, propertyName, schemaType } from "./schema-type.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const places = ["query", "header", "path", "cookie"];

/** The types of an OpenAPI document, in the form that openapi-fetch reads. */
export function apiTypes(document: OpenApiDocument): string {
  const described = Object.entries(document.paths).map(([path, item]) => ({ path, operations: Object.entries(item) }));
  const paths = described.map(({ path, operations }) => pathType(path, new Map(operations)));
  const operations = described.flatMap((item) => item.operations.map(([, operation]) => operationType(operation)));
  return [
    "// Made by scripts/describe-api.ts from the operations of src/http; not to be edited.\n",
    `export interface paths {\n${paths.join("\n")}\n}\n`,
    `export interface operations {\n${operations.join("\n")}\n}\n`,
    shortcuts,
  ].join("\n");
}

const shortcuts = `type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : never;

/** What an operation answers when all is well. */
export type Reply<Id extends keyof operations> = Json<operations[Id]["responses"][200]>;

/** What an operation answers when it refuses. */
export type Refusal<Id extends keyof operations> = Json<operations[Id]["responses"]["default"]>;

/** The JSON that an operation takes. */
export type Body<Id extends keyof operations> = Json<NonNullable<operations[Id]["requestBody"]>>;

/** What an operation takes behind the question mark. */
export type Query<Id extends keyof operations> = NonNullable<operations[Id]["parameters"]["query"]>;
`;

function pathType(path: string, operations: ReadonlyMap<string, DescribedOperation>): string {
  const lines = methods.map((method) => {
    const operation = operations.get(method);
    return operation === undefined
      ? `    ${method}?: never;`
      : `${comment(operation.summary, "    ")}    ${method}: operations[${JSON.stringify(nameOf(operation))}];`;
  });
  return `  ${propertyName(path)}: {\n${parametersType([], "    ")}\n${lines.join("\n")}\n  };`;
}

function operationType(operation: DescribedOperation): string {
  const { summary, parameters = [], requestBody, responses } = operation;
  const body = requestBody && contentType(requestBody.content, "      ", bodyType);
  const replies = Object.entries(responses).map(([status, { content }]) => {
    const held = content && contentType(content, "        ", ({ schema }, indent) => schemaType(schema ?? {}, indent));
    const lines = ["        headers: { [name: string]: unknown };", held ?? "        content?: never;"];
    return `      ${propertyName(status)}: {\n${lines.join("\n")}\n      };`;
  });
  return [
    `${comment(summary, "  ")}  ${propertyName(nameOf(operation))}: {`,
    parametersType(parameters, "    "),
    body === undefined ? "    requestBody?: never;" : `    requestBody${requestBody?.required === true ? "" : "?"}: {\n${body}\n    };`,
    `    responses: {\n${replies.join("\n")}\n    };`,
    "  };",
  ].join("\n");
}

function parametersType(parameters: readonly Parameter[], indent: string): string {
  const lines = places.map((place) => {
    const inner = `${indent}    `;
    const here = parameters.filter((parameter) => parameter.in === place);
    if (here.length === 0) return `${indent}  ${place}?: never;`;
    const fields = here.map(({ name, required = false, description, schema = {} }) =>
      field({ name, type: schemaType(schema, inner), isRequired: required, says: description, indent: inner }),
    );
    const isRequired = here.some(({ required }) => required === true);
    return `${indent}  ${place}${isRequired ? "" : "?"}: {\n${fields.join("\n")}\n${indent}  };`;
  });
  return `${indent}parameters: {\n${lines.join("\n")}\n${indent}};`;
}

type MediaEntry = { media: string; schema: JsonSchema | undefined };

function contentType(
  content: Readonly<Record<string, { schema?: JsonSchema }>>,
  indent: string,
  typeOf: (entry: MediaEntry, indent: string) => string,
): string {
  const inner = `${indent}  `;
  const fields = Object.entries(content).map(([media, { schema }]) =>
    field({ name: media, type: typeOf({ media, schema }, inner), isRequired: true, says: formFields(media, schema), indent: inner }),
  );
  return `${indent}content: {\n${fields.join("\n")}\n${indent}};`;
}

/** A form goes as it is: openapi-fetch would write an object as JSON. */
function bodyType({ media, schema }: MediaEntry, indent: string): string {
  return isForm(media) ? "FormData" : schemaType(schema ?? {}, indent);
}

function formFields(media: string, schema: JsonSchema | undefined): string | undefined {
  const names = Object.keys(schema?.properties ?? {}).map((name) => `${name}${schema?.required?.includes(name) === true ? "" : "?"}`);
  return isForm(media) && names.length > 0 ? `Fields: ${names.join(", ")}` : undefined;
}

function isForm(media: string): boolean {
  return media === "multipart/form-data";
}

function nameOf({ operationId, summary = "" }: DescribedOperation): string {
  if (operationId === undefined) throw new Error(`an operation has no operationId: ${summary}`);
  return operationId;
}
