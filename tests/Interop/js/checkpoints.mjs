// The official consumer with the official blob checkpoint store. Every flow has a hub of its own and makes its own container.
import { EventHubConsumerClient, EventHubProducerClient } from "@azure/event-hubs";
import { BlobCheckpointStore } from "@azure/eventhubs-checkpointstore-blob";
import { BlobServiceClient, StorageSharedKeyCredential } from "@azure/storage-blob";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { flow, partsOf, runFlows, until } from "./flows.mjs";

const connection = process.env.EVENTHUB_CONNECTION_STRING;
const retryOptions = { maxRetries: 3, retryDelayInMs: 100, timeoutInMs: 10_000 };
const namespace = new URL(partsOf(connection).Endpoint.replace("sb://", "http://")).hostname;
const storage = partsOf(process.env.STORAGE_CONNECTION_STRING);
const blobs = new BlobServiceClient(storage.BlobEndpoint, new StorageSharedKeyCredential(storage.AccountName, storage.AccountKey));

/** A group of consumers over one hub: what they saw, by whom, and where each began. */
class Group {
    constructor(hub, store, container) {
        Object.assign(this, { hub, store, container, seen: new Map(), owners: new Map(), started: [], errors: [] });
    }

    static async create(hub) {
        const container = blobs.getContainerClient(`c${randomUUID()}`);
        await container.create();
        return new Group(hub, new BlobCheckpointStore(container), container);
    }

    start(name, { checkpoint = true } = {}) {
        const consumer = new EventHubConsumerClient("$Default", connection, this.hub, this.store, {
            retryOptions,
            loadBalancingOptions: { strategy: "greedy", updateIntervalInMs: 500, partitionOwnershipExpirationIntervalInMs: 4_000 },
        });
        consumer.subscribe({
            processInitialize: async context => { this.started.push(`${name}:${context.partitionId}`); },
            processEvents: async (events, context) => {
                if (events.length === 0) return;
                this.owners.set(context.partitionId, name);
                for (const event of events) this.seen.set(event.body.i, (this.seen.get(event.body.i) ?? 0) + 1);
                if (checkpoint) await context.updateCheckpoint(events.at(-1));
            },
            // Losing a partition to another consumer is how balancing looks from the losing side.
            processError: async error => { if (error.code !== "ReceiverDisconnectedError") this.errors.push(error); },
        }, { startPosition: { offset: "-1" }, maxBatchSize: 20, maxWaitTimeInSeconds: 1 });
        return consumer;
    }

    async hasSeen(count) {
        await until(() => this.errors.length > 0 || this.seen.size >= count, () => `${this.seen.size} of ${count} events seen`, 45);
        if (this.errors.length > 0) throw this.errors[0];
    }

    get repeated() {
        return [...this.seen.values()].reduce((sum, times) => sum + times - 1, 0);
    }
}

async function senderOf(hub, cleanup) {
    const producer = new EventHubProducerClient(connection, hub, { retryOptions });
    cleanup(() => producer.close());
    let sent = 0;
    return async count => {
        for (const end = sent + count; sent < end; sent++) await producer.sendBatch([{ body: { i: sent } }], { partitionId: String(sent % 4) });
        return sent;
    };
}

flow("A_consumer_continues_from_its_checkpoints", async (hub, cleanup) => {
    const send = await senderOf(hub, cleanup);
    const group = await Group.create(hub);
    await send(200);
    const first = group.start("first");
    await group.hasSeen(200);
    await first.close();
    const checkpoints = await group.store.listCheckpoints(namespace, hub, "$Default");
    assert.deepEqual(checkpoints.map(checkpoint => checkpoint.sequenceNumber), [49, 49, 49, 49]);
    await send(200);
    const second = group.start("second");
    await group.hasSeen(400);
    await second.close();
    assert.equal(group.repeated, 0);
}, { seconds: 90 });

flow("Events_after_the_last_checkpoint_come_again", async (hub, cleanup) => {
    const send = await senderOf(hub, cleanup);
    const group = await Group.create(hub);
    await send(40);
    const first = group.start("first", { checkpoint: false });
    await group.hasSeen(40);
    await first.close();
    const second = group.start("second");
    await until(() => group.repeated === 40, () => `${group.repeated} of 40 events came again`);
    await second.close();
}, { seconds: 90 });

flow("Two_consumers_share_the_partitions_and_hand_them_over", async (hub, cleanup) => {
    const send = await senderOf(hub, cleanup);
    const group = await Group.create(hub);
    const first = group.start("first");
    await group.hasSeen(await send(40));
    const second = group.start("second");
    const share = name => [...group.owners.values()].filter(owner => owner === name).length;
    await until(async () => {
        await group.hasSeen(await send(4));
        return share("first") === 2 && share("second") === 2;
    }, () => `first has ${share("first")}, second ${share("second")}`, 45);
    await first.close();
    await until(async () => {
        await group.hasSeen(await send(4));
        return share("second") === 4;
    }, () => `second has ${share("second")} of 4 after the first left`, 45);
    await second.close();
    assert.equal(group.seen.size, await send(0), "an event was lost");
    const ownerships = await group.store.listOwnership(namespace, hub, "$Default");
    assert.deepEqual(ownerships.map(ownership => ownership.ownerId), ["", "", "", ""], "partitions were not given back");
}, { seconds: 110 });

await runFlows();
