import type { JsonObject } from "../../core/call.ts";
import { encodeForm } from "../call/form.ts";
import type { UpstreamRequest } from "../upstream/upstream.ts";
import { buildField, buildFields } from "./body.ts";
import type { AnyField, AnyFields } from "./body.ts";
import type { Given } from "./engine.ts";
import { FormFile } from "./file-change.ts";
import type { Files } from "./file-change.ts";

type Described = { body?: AnyField | undefined; form?: AnyFields | undefined };

/** The body of a request as its description and the job make it; throws what `load` throws. */
export async function buildRequest({ body, form }: Described, given: Given, files: Files): Promise<Pick<UpstreamRequest, "json" | "form">> {
  if (form !== undefined) return { form: asForm(await buildFields(form, given, files)) };
  return body === undefined ? {} : { json: await buildField(body, given, files) };
}

function asForm(fields: Record<string, unknown>): { mime: string; body: Buffer } {
  const texts: JsonObject = {};
  const parts = Object.entries(fields).flatMap(([field, value]) => {
    const values: readonly unknown[] = [value].flat();
    const plain = values.filter((one) => !(one instanceof FormFile));
    if (plain.length > 0) texts[field] = plain;
    return values.flatMap((one) => (one instanceof FormFile ? [{ field, name: one.name, mime: one.mime, bytes: one.bytes }] : []));
  });
  return encodeForm(texts, parts);
}
