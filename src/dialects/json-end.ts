/** Watches JSON as it comes in pieces and knows when its outermost object or array is closed, without keeping any of it. */
export class JsonEnd {
  #depth = 0;
  #inText = false;
  #escaped = false;
  reached = false;

  feed(piece: string): void {
    for (const character of piece) {
      if (this.#escaped) this.#escaped = false;
      else if (this.#inText) {
        if (character === "\\") this.#escaped = true;
        else if (character === '"') this.#inText = false;
      } else this.#step(character);
    }
  }

  #step(character: string): void {
    if (character === '"') this.#inText = true;
    else if (character === "{" || character === "[") this.#depth++;
    else if ((character === "}" || character === "]") && --this.#depth <= 0) this.reached = true;
  }
}
