import { vocabulary } from "../words.ts";

/** The words that the painter understands; everything else only steers chance. */

export const places = vocabulary({
  sea: "ocean beach coast shore wave surf island harbor harbour tide bay seaside lighthouse ship boat sail sailing pirate 海",
  lake: "river pond stream waterfall reflection swamp creek canal lagoon 湖",
  underwater: "reef coral fish whale shark dolphin jellyfish octopus diver submarine mermaid seabed aquarium turtle",
  forest: "woods wood jungle tree pine woodland rainforest grove redwood autumn fox deer bear wolf owl 森",
  city: "town street skyline skyscraper downtown urban building neon metropolis tokyo york london paris cyberpunk traffic car taxi robot rooftop 城市",
  mountain: "peak alps summit cliff valley ridge himalaya glacier hike hiking eagle dragon castle 山",
  desert: "dune sand sahara cactus camel canyon oasis egypt pyramid mars",
  meadow:
    "field flower garden grass prairie farm spring bloom blossom tulip rose sunflower butterfly bee horse sheep cow rabbit picnic village 花",
  space: "galaxy planet universe cosmos nebula astronaut rocket spaceship orbit alien asteroid comet saturn cosmic starship 宇宙",
  clouds: "cloud heaven flying plane airplane balloon dream above angel floating",
  hills: "countryside road path train landscape home house cottage windmill dog cat hill",
});
export type Place = typeof places extends Map<string, infer P> ? P : never;

export const hours = vocabulary({
  dawn: "sunrise morning daybreak early awakening",
  day: "noon sunny afternoon daylight bright midday blue 日",
  sunset: "dusk evening golden twilight sundown romantic 夕",
  night: "midnight moon moonlight star starry dark nocturnal neon aurora northern borealis firefly fireworks lantern 夜",
});
export type Hour = typeof hours extends Map<string, infer H> ? H : never;

export const weathers = vocabulary({
  clear: "sunny cloudless",
  cloudy: "cloud overcast grey gray",
  rain: "rainy raining drizzle wet umbrella monsoon shower 雨",
  storm: "thunder lightning tempest thunderstorm stormy hurricane",
  snow: "snowy winter blizzard frost ice icy christmas arctic cold frozen snowfall 雪",
  fog: "mist misty foggy haze smoke mysterious ghost eerie",
});
export type Weather = typeof weathers extends Map<string, infer W> ? W : never;

export const subjects = vocabulary({
  birds: "bird gull seagull swallow crow flock eagle dove crane",
  boat: "ship sail sailing sailboat yacht pirate fisherman",
  fish: "shark dolphin koi goldfish whale turtle",
  balloon: "hot-air airship zeppelin",
  house: "home cottage cabin village farm hut windmill castle",
  cat: "kitten kitty feline tiger lion panther",
  dog: "puppy wolf fox hound retriever husky corgi labrador poodle",
  horse: "pony stallion camel cow unicorn donkey",
  deer: "stag elk moose antelope reindeer",
  person: "man woman girl boy child people dancer wanderer traveler astronaut samurai hero couple lover hiker knight robot",
  rocket: "spaceship starship launch",
  fire: "campfire flame bonfire burning ember lava volcano",
  butterfly: "moth bee dragonfly fairy",
  fireflies: "firefly lantern magic magical glow glowing sparkle",
  petals: "blossom cherry sakura rose wedding",
  leaves: "leaf autumn fall maple",
  aurora: "northern borealis",
  car: "taxi truck drive driving bus automobile",
});
export type Subject = typeof subjects extends Map<string, infer S> ? S : never;

export const hues = new Map<string, number>(
  Object.entries({
    red: 0,
    crimson: 350,
    scarlet: 8,
    ruby: 345,
    orange: 28,
    amber: 38,
    gold: 45,
    golden: 42,
    yellow: 52,
    lemon: 56,
    lime: 85,
    green: 130,
    emerald: 145,
    mint: 158,
    jade: 155,
    turquoise: 176,
    teal: 182,
    cyan: 188,
    aqua: 185,
    azure: 208,
    blue: 218,
    navy: 226,
    indigo: 248,
    violet: 270,
    purple: 280,
    lavender: 262,
    magenta: 308,
    pink: 335,
    rose: 342,
    brown: 25,
    copper: 22,
  }),
);

export const paces = vocabulary({
  calm: "slow slowly quiet gentle peaceful serene still relaxing soft sleepy tranquil meditation lonely sad melancholy",
  lively: "fast quick energetic running race epic dynamic wild dance dancing party exciting storm battle chase speed",
});
