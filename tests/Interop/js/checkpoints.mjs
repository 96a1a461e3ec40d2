// The official consumer with the official blob checkpoint store: reads half, checkpoints, stops; a second one goes on from there.
// Nothing is lost and nothing comes twice.
import { EventHubConsumerClient, EventHubProducerClient } from "@azure/event-hubs";
import { BlobCheckpointStore } from "@azure/eventhubs-checkpointstore-blob";
import { ContainerClient, StorageSharedKeyCredential } from "@azure/storage-blob";
import assert from "node:assert/strict";

const hub = process.env.EVENTHUB_NAME;
const total = 400;
const retryOptions = { maxRetries: 2, retryDelayInMs: 100, timeoutInMs: 10_000 };
const producer = new EventHubProducerClient(process.env.EVENTHUB_CONNECTION_STRING, hub, { retryOptions });
const send = async (from, to) => {
    for (let i = from; i < to; i++) await producer.sendBatch([{ body: { i } }], { partitionId: String(i % 4) });
};
await send(0, total / 2);

const storage = Object.fromEntries(process.env.STORAGE_CONNECTION_STRING.split(";").filter(Boolean)
    .map(part => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));
const container = new ContainerClient(`${storage.BlobEndpoint}/${process.env.CHECKPOINT_CONTAINER}`,
    new StorageSharedKeyCredential(storage.AccountName, storage.AccountKey));
const store = new BlobCheckpointStore(container);
const seen = new Map();
async function readUntil(count) {
    const consumer = new EventHubConsumerClient("$Default", process.env.EVENTHUB_CONNECTION_STRING, hub, store, {
        retryOptions, loadBalancingOptions: { strategy: "greedy", updateIntervalInMs: 500, partitionOwnershipExpirationIntervalInMs: 5000 },
    });
    await new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`only ${seen.size} of ${count} events in 60 s`)), 60_000);
        const subscription = consumer.subscribe({
            processEvents: async (events, context) => {
                if (events.length === 0) return;
                for (const e of events) seen.set(e.body.i, (seen.get(e.body.i) ?? 0) + 1);
                await context.updateCheckpoint(events.at(-1));
                if (seen.size >= count) { clearTimeout(timer); resolve(); }
            },
            processError: async error => { clearTimeout(timer); reject(error); },
        }, { startPosition: { offset: "-1" }, maxBatchSize: 20 });
        void subscription;
    });
    await consumer.close();
}
await readUntil(total / 2);
await send(total / 2, total);
await readUntil(total);
assert.equal(seen.size, total);
assert.ok([...seen.values()].every(times => times === 1), "an event came twice");
const namespace = new URL(process.env.EVENTHUB_CONNECTION_STRING.match(/Endpoint=([^;]+)/)[1]).hostname;
const checkpoints = await store.listCheckpoints(namespace, hub, "$Default");
assert.deepEqual(checkpoints.map(c => c.sequenceNumber), [99, 99, 99, 99]);
await producer.close();
console.log(JSON.stringify({ sent: total, received: seen.size, twice: 0 }));
