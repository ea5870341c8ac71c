import { stillLayer, type Layer, type Stage } from "./stage.ts";

/** Darkens the corners a little, which draws the eye to the middle. */
export function vignette(stage: Stage, strength: number): Layer {
  const { width, height } = stage;
  return stillLayer(stage, (brush) => {
    const far = Math.hypot(width, height) / 2;
    const gradient = brush.createRadialGradient(width / 2, height / 2, far * 0.57, width / 2, height / 2, far);
    gradient.addColorStop(0, "rgba(0, 0, 8, 0)");
    gradient.addColorStop(1, `rgba(0, 0, 8, ${strength})`);
    brush.fillStyle = gradient;
    brush.fillRect(0, 0, width, height);
  });
}
