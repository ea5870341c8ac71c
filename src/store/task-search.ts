import { sql, type Expression, type RawBuilder, type SqlBool } from "kysely";
import { dialectOf, type Query } from "./query.ts";

const places: Record<"input" | "result", string[][]> = {
  input: [
    ["prompt"],
    ["description"],
    ["lyrics"],
    ["title"],
    ["tags"],
    ["midjourney", "prompt"],
    ["body", "input"],
    ["body", "prompt"],
    ["body", "messages"],
  ],
  result: [["title"], ["songs", "0", "title"]],
};

/** Whether the words of a task have a text in them, in whatever case. */
export function mentions(db: Query, text: string): Expression<SqlBool> {
  const words = dialectOf(db) === "postgres" ? postgresWords() : sqliteWords();
  const found = spellings(text).map((spelling) => {
    const pattern = `%${spelling.replaceAll(/[!%_]/g, "!$&")}%`;
    return sql<SqlBool>`lower(${words}) like ${pattern} escape '!'`;
  });
  return sql<SqlBool>`(${sql.join(found, sql` or `)})`;
}

function sqliteWords(): RawBuilder<string> {
  const texts = Object.entries(places).flatMap(([column, paths]) =>
    paths.map((path) => {
      const place = `$${path.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join("")}`;
      return sql`coalesce(json_extract(${sql.ref(`task.${column}`)}, ${sql.lit(place)}), '')`;
    }),
  );
  return sql`(${sql.join(texts, sql` || ' ' || `)})`;
}

function postgresWords(): RawBuilder<string> {
  const texts = Object.entries(places).flatMap(([column, paths]) =>
    paths.map((path) => sql`${sql.ref(column)} #>> ${sql.lit(`{${path.join(",")}}`)}`),
  );
  const [input, result] = [readable("input"), readable("result")];
  return sql`(select concat_ws(' ', ${sql.join(texts)}) from (select ${input} as input, ${result} as result offset 0) as words)`;
}

// Half of a character is JSON, but nothing that this database can read; such text is rare, and the look for it quick.
function readable(column: "input" | "result"): RawBuilder<unknown> {
  const text = sql.ref(`task.${column}`);
  const broken = String.raw`(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})`;
  const mended = sql`regexp_replace(${text}, ${sql.lit(broken)}, ${sql.lit(String.raw`\1`)}, 'g')`;
  return sql`cast(case when strpos(${text}, ${sql.lit(String.raw`\ud`)}) + strpos(${text}, ${sql.lit(String.raw`\u0000`)}) > 0
    then ${mended} else ${text} end as jsonb)`;
}

/** Databases may know the case of plain Latin letters alone; the others are looked for as people write them. */
function spellings(text: string): string[] {
  const lower = text.toLowerCase();
  const named = lower.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  const plain = (spelling: string) => spelling.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return [...new Set([text, lower, text.toUpperCase(), named].map(plain))];
}
