import type { Field } from "../job/spec.ts";

const usual = ["480p", "720p", "1080p"] as const;

/** The resolution for a host of many models: models have it or not, so that it is sent to those alone of which that is known, by how their names begin. */
export function hostedResolution(known: Readonly<Record<string, readonly string[]>>): Field<"video"> {
  const lines = (nearestLines: readonly string[]) => ({ resolution: { from: "input.resolution", as: { nearestLines } } }) as const;
  return {
    merge: [
      { object: lines(usual), when: [{ at: "options.resolution", is: "all" }] },
      ...Object.entries(known).map(([begins, names]) => ({ object: lines(names), when: [{ at: "model", begins } as const] })),
    ],
  };
}

/** What the pages of such hosts say of the setting. */
export const resolutionOption = 'Set to "all" where all your models take a resolution; else only those get it that are known to.';
