import { listOffers, type Offer } from "../soak/offers.ts";
import { makeOrders, type Order } from "../soak/orders.ts";

/** How a customer learns of the end: asks now and then, follows the events, waits in the create, is told by webhook, or does not care. */
export type Habit = "poll" | "events" | "wait" | "hook" | "leave";

/** An order of a task, whether it carries an Idempotency-Key, and what its customer does then. */
export type TaskOrder = Order & { isKeyed: boolean; habit: Habit };

export type TaskOrderOptions = { count: number; seed: number; customers: number; random: () => number; hookUrl: (n: number) => string };

// The doors whose create shows the whole record to whoever waits, with the id in the same place.
const waitDoors = new Set(["custom_video", "videos", "luma"]);

export function makeTaskOrders(options: TaskOrderOptions): { orders: TaskOrder[]; offers: Offer[] } {
  const { random } = options;
  const offers = listOffers();
  const orders = makeOrders({ ...options, offers }).map((order): TaskOrder => {
    const habit = habitOf(order, random);
    const isKeyed = random() < 0.5;
    const { "idempotency-key": key = "", ...headers } = order.headers;
    const all = { ...headers, ...(isKeyed && { "idempotency-key": key }), ...(habit === "wait" && { prefer: "wait=20" }) };
    return { ...order, headers: all, isKeyed, habit };
  });
  return { orders, offers };
}

function habitOf({ hasHook, door }: Order, random: () => number): Habit {
  const roll = random();
  if (hasHook && roll < 0.6) return "hook";
  if (waitDoors.has(door.name) && roll < 0.5) return "wait";
  return roll < 0.4 ? "events" : roll < 0.8 ? "poll" : "leave";
}
