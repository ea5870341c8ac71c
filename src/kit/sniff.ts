/** The media type that the first bytes of a file show, whatever its name or sender says; null for anything but the media we keep. */
export function sniffMime(head: Uint8Array): string | null {
  for (const [mime, test] of signs) {
    if (test(head)) return mime;
  }
  return null;
}

/** The usual file extension of a media type, "bin" where there is none. */
export function extensionOf(mime: string): string {
  return extensions.get(mime) ?? "bin";
}

const signs: readonly (readonly [mime: string, test: (head: Uint8Array) => boolean])[] = [
  ["image/png", (head) => textAt(head, 0, "\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (head) => textAt(head, 0, "\xff\xd8\xff")],
  ["image/webp", (head) => textAt(head, 0, "RIFF") && textAt(head, 8, "WEBP")],
  ["image/gif", (head) => textAt(head, 0, "GIF87a") || textAt(head, 0, "GIF89a")],
  ["audio/wav", (head) => textAt(head, 0, "RIFF") && textAt(head, 8, "WAVE")],
  ["audio/flac", (head) => textAt(head, 0, "fLaC")],
  ["audio/ogg", (head) => textAt(head, 0, "OggS\0")],
  ["video/webm", (head) => textAt(head, 0, "\x1a\x45\xdf\xa3") && latin(head, 0, 64).includes("\x42\x82\x84webm")],
  ["video/x-matroska", (head) => textAt(head, 0, "\x1a\x45\xdf\xa3") && latin(head, 0, 64).includes("\x42\x82\x88matroska")],
  ["video/quicktime", (head) => textAt(head, 4, "ftypqt  ")],
  ["image/avif", (head) => textAt(head, 4, "ftypavif")],
  ["audio/mp4", (head) => textAt(head, 4, "ftyp") && audioBrands.has(latin(head, 8, 12))],
  ["video/mp4", (head) => textAt(head, 4, "ftyp") && !otherBrands.has(latin(head, 8, 12))],
  ["audio/aac", (head) => head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0 && ((head[2] ?? 255) & 0x3c) < 0x34],
  ["audio/mpeg", (head) => (textAt(head, 0, "ID3") && (head[3] ?? 255) < 16) || startsWithMp3Frames(head)],
];

const audioBrands = new Set(["M4A ", "M4B ", "M4P "]);
/** Still pictures share the box format of MP4. */
const otherBrands = new Set(["", "avis", "heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1", "crx "]);

const extensions = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/webp", "webp"],
  ["image/gif", "gif"],
  ["audio/wav", "wav"],
  ["audio/flac", "flac"],
  ["audio/ogg", "ogg"],
  ["audio/mpeg", "mp3"],
  ["audio/mp4", "m4a"],
  ["video/webm", "webm"],
  ["video/mp4", "mp4"],
  ["video/quicktime", "mov"],
  ["video/x-matroska", "mkv"],
  ["image/avif", "avif"],
  ["audio/aac", "aac"],
]);

function latin(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

function textAt(bytes: Uint8Array, at: number, text: string): boolean {
  return latin(bytes, at, at + text.length) === text;
}

/** Two frame headers at the right distance: eleven set bits alone are too common. */
function startsWithMp3Frames(head: Uint8Array): boolean {
  const length = mp3FrameLength(head, 0);
  return length !== null && (head.length < length + 4 || mp3FrameLength(head, length) !== null);
}

const bitratesV1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesV2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates: Record<number, readonly number[]> = {
  3: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  0: [11_025, 12_000, 8000],
};

function mp3FrameLength(bytes: Uint8Array, at: number): number | null {
  const [sync = 0, second = 0, third = 0] = bytes.subarray(at, at + 4);
  const version = (second >> 3) & 3;
  const isLayer3 = sync === 0xff && second >> 5 === 7 && ((second >> 1) & 3) === 1;
  const kbits = (version === 3 ? bitratesV1 : bitratesV2)[third >> 4];
  const rate = sampleRates[version]?.[(third >> 2) & 3];
  if (!isLayer3 || !kbits || !rate || at + 4 > bytes.length) return null;
  return Math.floor(((version === 3 ? 144_000 : 72_000) * kbits) / rate) + ((third >> 1) & 1);
}
