// Sends 1,000 events through the official producer (keys, a partition id, single sends) and reads them back with the official
// consumer: every event once, in order per partition and per key, properties equal. Prints one line of JSON; exit code 1 on a difference.
import { EventHubConsumerClient, EventHubProducerClient, earliestEventPosition } from "@azure/event-hubs";
import assert from "node:assert/strict";

const connection = process.env.EVENTHUB_CONNECTION_STRING;
const hub = process.env.EVENTHUB_NAME;
const total = 1000;
const retryOptions = { maxRetries: 2, retryDelayInMs: 100, timeoutInMs: 10_000 };

const producer = new EventHubProducerClient(connection, hub, { retryOptions });
const properties = await producer.getEventHubProperties();
assert.equal(properties.name, hub);
assert.deepEqual(properties.partitionIds, ["0", "1", "2", "3"]);
const before = await producer.getPartitionProperties("0");
assert.equal(before.isEmpty, true);

const when = new Date(1_700_000_000_123);
const eventOf = i => ({
    body: Buffer.from(JSON.stringify({ i, text: "päyload".repeat(1 + (i % 5)) })),
    contentType: "application/json",
    messageId: `m-${i}`,
    properties: { i, negative: -i - 1, half: i + 0.5, flag: i % 2 === 0, name: `n${i}`, when },
});
for (let i = 0; i < 900; i += 30) {
    const key = `key-${(i / 30) % 7}`;
    const batch = await producer.createBatch({ partitionKey: key });
    for (let n = i; n < i + 30; n++) assert.ok(batch.tryAdd(eventOf(n)));
    await producer.sendBatch(batch);
}
for (let i = 900; i < 990; i += 10) {
    await producer.sendBatch(Array.from({ length: 10 }, (_, n) => eventOf(i + n)), { partitionId: "2" });
}
for (let i = 990; i < total; i++) await producer.sendBatch([eventOf(i)]);

const seen = new Map();
const lastOf = new Map();
const consumer = new EventHubConsumerClient("$Default", connection, hub, { retryOptions });
await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`only ${seen.size} of ${total} events arrived in 60 s`)), 60_000);
    consumer.subscribe({
        processEvents: async (events, context) => {
            for (const e of events) {
                const i = JSON.parse(e.body.toString()).i;
                const previous = lastOf.get(context.partitionId) ?? -1;
                if (e.sequenceNumber !== previous + 1) reject(new Error(`partition ${context.partitionId}: ${e.sequenceNumber} after ${previous}`));
                lastOf.set(context.partitionId, e.sequenceNumber);
                if (seen.has(i)) reject(new Error(`event ${i} came twice`));
                seen.set(i, { e, partition: context.partitionId });
            }
            if (seen.size === total) { clearTimeout(timer); resolve(); }
        },
        processError: async error => { clearTimeout(timer); reject(error); },
    }, { startPosition: earliestEventPosition, maxBatchSize: 50, skipParsingBodyAsJson: true });
});

for (let i = 0; i < total; i++) {
    const { e, partition } = seen.get(i);
    const sent = eventOf(i);
    assert.equal(Buffer.compare(e.body, sent.body), 0, `body of ${i}`);
    assert.equal(e.contentType, sent.contentType);
    assert.equal(e.messageId, sent.messageId);
    assert.equal(e.properties.i, i);
    assert.equal(e.properties.negative, -i - 1);
    assert.equal(e.properties.half, i + 0.5);
    assert.equal(e.properties.flag, i % 2 === 0);
    assert.equal(new Date(e.properties.when).getTime(), when.getTime());
    if (i < 900) assert.equal(e.partitionKey, `key-${Math.floor(i / 30) % 7}`);
    else if (i < 990) assert.equal(partition, "2");
    assert.ok(e.enqueuedTimeUtc instanceof Date);
}
const keyPartitions = new Map();
for (const { e, partition } of seen.values()) {
    if (!e.partitionKey) continue;
    assert.equal(keyPartitions.get(e.partitionKey) ?? partition, partition, `key ${e.partitionKey} in two partitions`);
    keyPartitions.set(e.partitionKey, partition);
}
const after = await producer.getPartitionProperties("2");
assert.equal(after.lastEnqueuedSequenceNumber, lastOf.get("2"));

await consumer.close();
await producer.close();
console.log(JSON.stringify({ sent: total, received: seen.size, keys: keyPartitions.size }));
