import { createServer } from "node:http";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { png } from "./samples.ts";

/** A picture as it arrived: its size, and a pixel of its left half and of its right one. */
export type Arrived = { width: number; height: number; left: number[]; right: number[] };

/** An upstream that speaks the edits of Stability and of Ideogram, and shows which picture and mask came last. */
export type MaskUpstream = { url: string; last(field: "image" | "mask"): Promise<Arrived>; close(): Promise<void> };

export async function startMaskUpstream(): Promise<MaskUpstream> {
  let form = new FormData();
  const server = createServer(async (request, response) => {
    const chunks: Buffer<ArrayBuffer>[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.url?.endsWith(".png")) return void response.writeHead(200, { "content-type": "image/png" }).end(png(64, 64));
    form = await new Response(Buffer.concat(chunks), { headers: { "content-type": request.headers["content-type"] ?? "" } }).formData();
    const made = { prompt: "x", seed: 1, is_image_safe: true, url: `http://${request.headers.host}/made.png` };
    const stability = { image: png(64, 64).toString("base64"), finish_reason: "SUCCESS", seed: 1 };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(request.url?.includes("ideogram") ? { created: "", data: [made] } : stability));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    async last(field) {
      const file = form.get(field);
      if (file === null || typeof file === "string") throw new Error(`no ${field} arrived`);
      return seen(Buffer.from(await file.arrayBuffer()));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function seen(bytes: Buffer): Promise<Arrived> {
  const image = await loadImage(bytes);
  const { width, height } = image;
  const context = createCanvas(width, height).getContext("2d");
  context.drawImage(image, 0, 0);
  const at = (share: number) => [...context.getImageData(Math.floor(width * share), Math.floor(height / 2), 1, 1).data];
  return { width, height, left: at(0.25), right: at(0.75) };
}
