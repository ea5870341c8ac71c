import { blend, css, lighten } from "../picture/colour.ts";
import { puff } from "../picture/sky.ts";
import type { Layer, Stage } from "../picture/stage.ts";
import { vignette } from "../picture/vignette.ts";

/** A quiet wall and a table in soft light, for things that belong in no landscape. */
export function indoorLayers(stage: Stage): Layer[] {
  const { width, height, unit, plan } = stage;
  const { accent, light } = plan.palette;
  const wall = { h: accent.h + 25, s: 0.22, l: plan.hour === "night" ? 0.26 : 0.74 };
  const wood = { h: 28 + plan.chance.branch("wood").range(-8, 8), s: 0.4, l: plan.hour === "night" ? 0.22 : 0.42 };
  const edge = height * 0.68;
  const room: Layer = (brush) => {
    const back = brush.createLinearGradient(0, 0, width * 0.4, edge);
    back.addColorStop(0, css(lighten(wall, 0.08)));
    back.addColorStop(1, css(lighten(wall, -0.1)));
    brush.fillStyle = back;
    brush.fillRect(0, 0, width, height);
    puff(brush, plan.light.x * width, edge * 0.45, unit * 0.75, blend(light, wall, 0.3), 0.6);
    const table = brush.createLinearGradient(0, edge, 0, height);
    table.addColorStop(0, css(lighten(wood, 0.1)));
    table.addColorStop(1, css(lighten(wood, -0.12)));
    brush.fillStyle = table;
    brush.fillRect(0, edge, width, height - edge);
    brush.fillStyle = css(lighten(wood, 0.18), 0.6);
    brush.fillRect(0, edge, width, Math.max(1, unit * 0.006));
  };
  return [room, ...(stage.cast?.(stage) ?? []), vignette(stage, 0.28)];
}
