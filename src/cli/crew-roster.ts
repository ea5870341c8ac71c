import type { Figures } from "./crew-message.ts";
import type { Greeting } from "./greeting.ts";

/** How a process ended. */
export type Ending = { code: number | null; signal: string | null };

/** One process of a crew. */
export type Member = {
  /** Its own among those that live. */
  number: number;
  pid: number;
  /** Null when it ended before it served. */
  serving: Promise<Greeting | null>;
  ended: Promise<Ending>;
  /** Null when it does not answer. */
  figures(): Promise<Figures | null>;
  tell(what: "stop" | "leave"): void;
  kill(signal: "SIGTERM" | "SIGKILL"): void;
};

/** The processes of a crew that live. */
export type Roster = {
  /** A new process, once it serves; else how it ended. */
  recruit(): Promise<{ member: Member; greeting: Greeting } | Ending>;
  serving(): Member[];
  starting(): Member[];
  /** Starts since the last one that went well. */
  failedStarts(): number;
};

export function createRoster(hire: (number: number) => Member): Roster {
  const living = new Map<number, { member: Member; serves: boolean }>();
  let failed = 0;
  const those = (wanted: boolean) => [...living.values()].filter(({ serves }) => serves === wanted).map(({ member }) => member);
  return {
    serving: () => those(true),
    starting: () => those(false),
    failedStarts: () => failed,
    async recruit() {
      let number = 0;
      while (living.has(number)) number++;
      const member = hire(number);
      const life = { member, serves: false };
      living.set(number, life);
      void member.ended.then(() => living.delete(number));
      const greeting = await member.serving;
      if (greeting === null) {
        failed++;
        return member.ended;
      }
      failed = 0;
      life.serves = true;
      return { member, greeting };
    },
  };
}
