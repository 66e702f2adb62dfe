import { randomUUID } from "node:crypto";
import { createClient, defineScript } from "@redis/client";
import type { LedgerAnswer, LedgerQuestion, RateLedger } from "#ports/rate-ledger";

/** Strangers choose the names, so their number is bounded; some 200 bytes each. */
const MOST_BUCKETS = 200_000;
const MOST_PAUSE_MILLIS = 500;
/** A connection on which nothing comes back for this long is broken, in milliseconds; it is asked twice meanwhile. */
const SILENCE_MILLIS = 10_000;

/**
 * One run for all buckets of a tick, by the server's own clock. A hash holds the buckets (`tokens at`), and a sorted set says when each is full
 * again: those that are go first, then, beyond the bound, those that are nearest to it. A moment that is ahead was noted by a clock that
 * went wrong: nothing would flow in until the right one comes to it.
 */
const BORROW = `
local buckets, full, life = KEYS[1], KEYS[2], redis.call('GET', KEYS[3])
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local answers = { life }
for i = 2, #ARGV, 7 do
  local key, rate, burst = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local least, most = tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4])
  local atMost, returned = tonumber(ARGV[i + 5]), tonumber(ARGV[i + 6])
  local tokens, at = burst, now
  local known = redis.call('HGET', buckets, key)
  if known then
    local space = string.find(known, ' ', 1, true)
    local noted = tonumber(string.sub(known, space + 1))
    if noted <= now + 1 then at = math.max(now, noted) end
    tokens = math.min(burst, tonumber(string.sub(known, 1, space - 1)) + rate * math.max(0, now - noted))
  end
  tokens = math.min(burst, math.min(tokens, atMost) + returned)
  local granted = 0
  if tokens >= least - 1e-9 then granted = math.min(most, tokens) end
  tokens = tokens - granted
  redis.call('HSET', buckets, key, string.format('%.9f %.6f', tokens, at))
  redis.call('ZADD', full, string.format('%.6f', at + (burst - tokens) / math.max(rate, 1e-9)), key)
  answers[#answers + 1] = string.format('%.9f', granted)
  answers[#answers + 1] = string.format('%.9f', tokens)
end
local gone = redis.call('ZRANGEBYSCORE', full, '-inf', '(' .. string.format('%.6f', now), 'LIMIT', 0, 1000)
for _, key in ipairs(gone) do
  redis.call('HDEL', buckets, key)
  redis.call('ZREM', full, key)
end
local beyond = redis.call('ZCARD', full) - tonumber(ARGV[1])
if beyond > 0 then
  local nearest = redis.call('ZPOPMIN', full, beyond)
  for i = 1, #nearest, 2 do redis.call('HDEL', buckets, nearest[i]) end
end
if not life then answers[1] = '' end
return answers`;

/** The rate ledger in Redis, Valkey, or what else speaks their protocol and runs their scripts. Connects when it is first asked. */
export function openRedisRateLedger(options: { url: string; installId: string; mostBuckets?: number }): RateLedger {
  const { url, installId, mostBuckets = MOST_BUCKETS } = options;
  // The braces keep them together where keys are spread over several servers.
  const [buckets, full, life] = ["buckets", "full", "life"].map((name) => `stet:{${installId}}:${name}`) as [string, string, string];
  const client = createClient({
    url,
    name: "stet",
    // What cannot be sent now is not sent later: the node has gone on without it.
    disableOfflineQueue: true,
    pingInterval: SILENCE_MILLIS / 2,
    socket: { reconnectStrategy: (retries) => Math.min(MOST_PAUSE_MILLIS, 50 * 2 ** retries), socketTimeout: SILENCE_MILLIS },
    scripts: {
      borrow: defineScript({
        SCRIPT: BORROW,
        NUMBER_OF_KEYS: 3,
        parseCommand: (parser, questions: readonly LedgerQuestion[]) => {
          parser.pushKeys([buckets, full, life]);
          parser.push(String(mostBuckets), ...questions.flatMap(argumentsOf));
        },
        transformReply: (reply: string[]) => reply,
      }),
    },
  });
  // Without a listener the process would end. A command on a broken connection fails, which is how it is noticed.
  client.on("error", () => {});
  let connecting: Promise<unknown> | null = null;

  return {
    name: "Redis",

    async open() {
      connecting ??= client.connect();
      await connecting;
      await client.set(life, randomUUID(), { condition: "NX" });
      return (await client.get(life)) ?? "";
    },

    async borrow(questions) {
      const [present, ...numbers] = await client.borrow(questions);
      const answers = questions.map((_, index): LedgerAnswer => {
        const [granted, remaining] = numbers.slice(2 * index, 2 * index + 2);
        return { granted: Number(granted), remaining: Number(remaining) };
      });
      return { life: present === "" ? null : (present ?? null), answers };
    },

    // The script does, whenever it runs.
    async sweep() {},

    async close() {
      if (connecting) client.destroy();
    },
  };
}

const argumentsOf = ({ key, ratePerSecond, burst, least, most, atMost, returned }: LedgerQuestion): string[] => [
  key,
  ...[ratePerSecond, burst, least, most, atMost, returned].map((number) => number.toFixed(9)),
];
