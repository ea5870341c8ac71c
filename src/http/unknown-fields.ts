type Described = {
  type?: unknown;
  properties?: Record<string, Described>;
  items?: Described;
  patternProperties?: unknown;
  additionalProperties?: unknown;
  anyOf?: readonly Described[];
};

const most = 10;
const longest = 100;

/** JSON pointers of the fields that a schema does not know; they are ignored, and the caller is told so. */
export function unknownFields(described: Described, value: unknown, at = ""): string[] {
  // Where something may be left out as null, its fields are those of the other member.
  const schema = described.anyOf?.find(({ properties: own }) => own !== undefined) ?? described;
  if (typeof value !== "object" || value === null || Array.isArray(value) || schema.properties === undefined) return [];
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) return [];
  const { properties } = schema;
  return Object.entries(value)
    .flatMap(([key, item]) => {
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
      const pointer = `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      return known === undefined ? [pointer] : unknownFields(known, item, pointer);
    })
    .slice(0, most);
}

/** The pointers as a header can carry them: cut where they are long, since names come from the client. */
export function warningHeader(pointers: readonly string[]): string {
  const shown = pointers.map((pointer) => encodeURI(pointer.slice(0, longest).toWellFormed()).replaceAll(",", "%2C"));
  return `ignored: ${shown.join(", ")}`;
}
