// The official consumer with the official blob checkpoint store, in a consumer group that another client shares. Prints a line of JSON with the
// checkpoints that its store lists, then one for each event, after the checkpoint of its batch was stored. Ends at a line of input, or when
// its input ends: then it gives its partitions back.
import { EventHubConsumerClient } from "@azure/event-hubs";
import { BlobCheckpointStore } from "@azure/eventhubs-checkpointstore-blob";
import { BlobServiceClient, StorageSharedKeyCredential } from "@azure/storage-blob";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { partsOf } from "./flows.mjs";

const storage = partsOf(process.env.STORAGE_CONNECTION_STRING);
const blobs = new BlobServiceClient(storage.BlobEndpoint, new StorageSharedKeyCredential(storage.AccountName, storage.AccountKey));
const store = new BlobCheckpointStore(blobs.getContainerClient(process.env.CHECKPOINT_CONTAINER));
const consumer = new EventHubConsumerClient("$Default", process.env.EVENTHUB_CONNECTION_STRING, process.env.EVENTHUB_NAME, store, {
    retryOptions: { maxRetries: 3, retryDelayInMs: 100, timeoutInMs: 10_000 },
    loadBalancingOptions: { strategy: "greedy", updateIntervalInMs: 500, partitionOwnershipExpirationIntervalInMs: 4_000 },
});
const listed = await store.listCheckpoints(consumer.fullyQualifiedNamespace, process.env.EVENTHUB_NAME, "$Default");
console.log(JSON.stringify({
    checkpoints: listed.map(one => ({ partition: one.partitionId, sequence: one.sequenceNumber, offset: String(one.offset) })),
}));
consumer.subscribe({
    processEvents: async (events, context) => {
        if (events.length === 0) return;
        await context.updateCheckpoint(events.at(-1));
        for (const event of events) console.log(JSON.stringify({ partition: context.partitionId, sequence: event.sequenceNumber }));
    },
    // Losing a partition to another consumer is how balancing looks from the losing side.
    processError: async error => { if (error.code !== "ReceiverDisconnectedError") console.error(error.stack ?? String(error)); },
}, { startPosition: { offset: "-1" }, maxBatchSize: 20, maxWaitTimeInSeconds: 1 });

const input = createInterface({ input: process.stdin });
await Promise.race([once(input, "line"), once(input, "close")]);
await consumer.close();
process.exit(0);
