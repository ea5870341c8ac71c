type Described = {
  type?: unknown;
  properties?: Record<string, Described>;
  items?: Described;
  patternProperties?: unknown;
  additionalProperties?: unknown;
};

const most = 10;

/** JSON pointers of the fields that a schema does not know; they are ignored, and the caller is told so. */
export function unknownFields(schema: Described, value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value) || schema.properties === undefined) return [];
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) return [];
  const { properties } = schema;
  return Object.entries(value)
    .flatMap(([key, item]) => {
      const known = properties[key];
      const pointer = `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      return known === undefined ? [pointer] : unknownFields(known, item, pointer);
    })
    .slice(0, most);
}

/** The pointers as a header can carry them. */
export function warningHeader(pointers: readonly string[]): string {
  return `ignored: ${pointers.map((pointer) => encodeURI(pointer).replaceAll(",", "%2C")).join(", ")}`;
}
