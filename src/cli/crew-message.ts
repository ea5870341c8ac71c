import { Type, type Static } from "typebox";

const figures = Type.Object({ type: Type.String(), text: Type.String() });
const id = Type.Number();

/** What a process of a crew says to the one that looks after it. */
export const MateMessage = Type.Union([
  Type.Object({
    says: Type.Literal("serving"),
    url: Type.String(),
    adminKey: Type.Union([Type.String(), Type.Null()]),
    firstKey: Type.Union([Type.String(), Type.Null()]),
  }),
  Type.Object({ says: Type.Literal("my figures"), id, figures }),
  Type.Object({ says: Type.Literal("whose figures"), id }),
]);
export type MateMessage = Static<typeof MateMessage>;

/** What it is told: to end at once, to let go of its clients first, to show its figures, or those of all that it asked for. */
export const LeadMessage = Type.Union([
  Type.Object({ says: Type.Union([Type.Literal("stop"), Type.Literal("leave")]) }),
  Type.Object({ says: Type.Literal("your figures"), id }),
  Type.Object({ says: Type.Literal("all figures"), id, figures }),
]);
export type LeadMessage = Static<typeof LeadMessage>;

export type Figures = Static<typeof figures>;
