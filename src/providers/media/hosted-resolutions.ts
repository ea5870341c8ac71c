import type { Field } from "../job/spec.ts";

const usual = ["480p", "540p", "580p", "720p", "768p", "1080p", "1440p", "2160p", "4k"] as const;
const isWanted = { at: "options.resolution", exists: false } as const;

/** The resolution for a host of many models: after what is known of a model by how its name begins, else as it was asked for. */
export function hostedResolution(known: Readonly<Record<string, readonly string[]>>): Field<"video"> {
  const lines = (nearestLines: readonly string[]) => ({ resolution: { from: "input.resolution", as: { nearestLines } } }) as const;
  return {
    merge: [
      { object: lines(usual), when: [isWanted] },
      ...Object.entries(known).map(([begins, names]) => ({ object: lines(names), when: [isWanted, { at: "model", begins } as const] })),
    ],
  };
}

/** What the pages of such hosts say of the setting. */
export const resolutionOption = 'Set to "none" for models that take no resolution.';
