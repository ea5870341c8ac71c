export async function gridOf(_pictures: Uint8Array[]): Promise<Uint8Array> {
  throw new Error("not yet");
}
