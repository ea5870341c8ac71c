import type { FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import { Failure } from "../core/errors.ts";
import type { Ask } from "./operation.ts";
import type { Services } from "./services.ts";
import { unknownFields, warningHeader } from "./unknown-fields.ts";
import { blameSender, dropUpload, saveUpload } from "./uploads.ts";
import { complaintFailure } from "./validation-message.ts";

export type Form = { fields: Record<string, string>; files: Record<string, string> };
type ReadForm = Form & { /** What each file is by its content. */ digests: Record<string, string> };

type ReadBody<B> = {
  body: B;
  /** Equal for equal requests, though each upload has an id of its own. */
  content: unknown;
  /** Forgets the files that came with the form, when nothing came of the request. */
  drop(): Promise<void>;
};

/** The body of a create that may also come as a form: `fromForm` makes of the form what the JSON body would have been. */
async function readBody<S extends TSchema>(
  ask: Ask<unknown, unknown, unknown>,
  services: Services,
  schema: S,
  fromForm: (form: Form) => unknown,
): Promise<ReadBody<Static<S>>> {
  if (!ask.request.isMultipart()) return { body: checkedBody(ask, schema, ask.body), content: ask.body, drop: async () => undefined };
  const form: ReadForm = { fields: {}, files: {}, digests: {} };
  const drop = async () => {
    for (const id of Object.values(form.files)) await dropUpload(services, { account: ask.caller.account.id, id });
  };
  try {
    await readForm(ask, services, form);
    const { fields, files, digests } = form;
    const asked = fromForm({ fields, files });
    const unused = await dropUnused(ask, services, files, asked);
    return { body: checkedBody(ask, schema, asked, unused), content: fromForm({ fields, files: digests }), drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** Forgets the files that no field of the request is made of; answers where they stood. */
async function dropUnused(
  { caller }: Ask<unknown, unknown, unknown>,
  services: Services,
  files: Form["files"],
  asked: unknown,
): Promise<string[]> {
  const text = JSON.stringify(asked);
  const unused = Object.entries(files).filter(([, id]) => !text.includes(id));
  for (const [, id] of unused) await dropUpload(services, { account: caller.account.id, id });
  return unused.map(([name]) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}

/** Makes something of a body that may also come as a form; the files in it are forgotten when nothing new came of it. */
export async function withBody<S extends TSchema, T>(
  ask: Ask<unknown, unknown, unknown>,
  services: Services,
  { schema, fromForm }: { schema: S; fromForm: (form: Form) => unknown },
  make: (read: { body: Static<S>; content: unknown }) => Promise<T>,
): Promise<T> {
  const { body, content, drop } = await readBody(ask, services, schema, fromForm);
  try {
    const made = await make({ body, content });
    if (ask.reply.hasHeader("idempotent-replayed")) await drop();
    return made;
  } catch (error) {
    await drop();
    throw error;
  }
}

/** Checks a body against its schema and says which fields were not understood. */
export function checkedBody<S extends TSchema>(
  { request, reply }: { request: FastifyRequest; reply: Ask<unknown, unknown, unknown>["reply"] },
  schema: S,
  body: unknown,
  unused: readonly string[] = [],
): Static<S> {
  const validate = request.getValidationFunction(schema) ?? request.compileValidationSchema(schema);
  if (!fits<S>(validate, body)) throw complaintFailure(validate.errors ?? [], "body");
  const ignored = [...unused, ...unknownFields(schema, body)];
  if (ignored.length > 0) reply.header("x-genway-warning", warningHeader(ignored));
  return body;
}

function fits<S extends TSchema>(validate: (input: unknown) => unknown, body: unknown): body is Static<S> {
  return validate(body) === true;
}

/** Reads a form: its fields as text, its files stored as uploads of the caller, by field name. */
async function readForm({ request, caller }: Ask<unknown, unknown, unknown>, services: Services, form: ReadForm): Promise<void> {
  for await (const part of blameSender(request.parts())) {
    const { fieldname: name } = part;
    if (name === "__proto__" || name === "constructor")
      throw new Failure("invalid_request", { says: `The form must not have a field named '${name}'.` });
    if (Object.hasOwn(part.type === "file" ? form.files : form.fields, name))
      throw new Failure("invalid_request", { says: `'${name.slice(0, 100)}' must be given once.`, param: name.slice(0, 100) });
    if (part.type === "file") {
      const asset = await saveUpload(services, caller, { stream: part.file, name: part.filename, purpose: "input" });
      form.files[name] = asset.id;
      form.digests[name] = asset.sha256;
    } else if (typeof part.value === "string") {
      if (part.value.includes("\0")) throw new Failure("invalid_request", { says: "The form must not contain NUL characters." });
      form.fields[name] = part.value;
    }
  }
}
