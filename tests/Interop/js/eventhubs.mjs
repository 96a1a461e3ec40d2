// Event Hubs through the official SDK. Every flow has a hub of its own with four partitions, named like the flow.
import { EventHubBufferedProducerClient, EventHubConsumerClient, EventHubProducerClient, earliestEventPosition, latestEventPosition } from "@azure/event-hubs";
import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { cuttable, flow, partsOf, refusal, runFlows, until } from "./flows.mjs";

const connection = process.env.EVENTHUB_CONNECTION_STRING;
const retryOptions = { maxRetries: 3, retryDelayInMs: 100, timeoutInMs: 10_000 };
const once = { maxRetries: 0, retryDelayInMs: 100, timeoutInMs: 10_000 };

function producerOf(hub, cleanup, { connectionString = connection, retry = retryOptions } = {}) {
    const producer = new EventHubProducerClient(connectionString, hub, { retryOptions: retry });
    cleanup(() => producer.close());
    return producer;
}

function consumerOf(hub, cleanup, { connectionString = connection, group = "$Default", retry = retryOptions } = {}) {
    const consumer = new EventHubConsumerClient(group, connectionString, hub, { retryOptions: retry });
    cleanup(() => consumer.close());
    return consumer;
}

/** Starts to read a partition; events gather in the answer's list, and a fault in its error. */
function readingOf(consumer, partition, startPosition = earliestEventPosition, options = {}) {
    const reading = { events: [], batches: 0, error: null, context: null };
    reading.subscription = consumer.subscribe(partition, {
        processEvents: async (events, context) => { reading.batches++; reading.context = context; reading.events.push(...events); },
        processError: async error => { reading.error ??= error; },
    }, { startPosition, maxBatchSize: 50, maxWaitTimeInSeconds: 1, skipParsingBodyAsJson: true, ...options });
    return reading;
}

async function read(consumer, partition, count, startPosition, options) {
    const reading = readingOf(consumer, partition, startPosition, options);
    await until(() => reading.error || reading.events.length >= count, () => `${reading.events.length} of ${count} events arrived`, 15);
    await reading.subscription.close();
    if (reading.error) throw reading.error;
    assert.equal(reading.events.length, count);
    return reading.events;
}

const textOf = event => Buffer.from(event.body).toString();
const textsOf = events => events.map(textOf);
const bodies = (count, name = "e") => Array.from({ length: count }, (_, i) => ({ body: Buffer.from(`${name}${i}`) }));

// Sending

flow("A_single_event_arrives_with_its_body", async (hub, cleanup) => {
    await producerOf(hub, cleanup).sendBatch([{ body: { greeting: "grüß dich", n: 1 } }], { partitionId: "0" });
    const [event] = await read(consumerOf(hub, cleanup), "0", 1, earliestEventPosition, { skipParsingBodyAsJson: false });
    assert.deepEqual(event.body, { greeting: "grüß dich", n: 1 });
    assert.equal(event.sequenceNumber, 0);
    assert.ok(Math.abs(Date.now() - event.enqueuedTimeUtc.getTime()) < 60_000);
});

flow("A_batch_arrives_whole_and_in_order", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup);
    const batch = await producer.createBatch({ partitionId: "1" });
    for (const event of bodies(200)) assert.ok(batch.tryAdd(event));
    await producer.sendBatch(batch);
    const events = await read(consumerOf(hub, cleanup), "1", 200);
    assert.deepEqual(textsOf(events), bodies(200).map(event => event.body.toString()));
    assert.deepEqual(events.map(event => event.sequenceNumber), [...events.keys()]);
    assert.equal(new Set(events.map(event => event.offset)).size, 200);
});

flow("A_partition_id_is_obeyed", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup);
    for (const partitionId of ["0", "1", "2", "3"]) await producer.sendBatch(bodies(Number(partitionId) + 1), { partitionId });
    for (const partitionId of ["0", "1", "2", "3"]) {
        assert.equal((await producer.getPartitionProperties(partitionId)).lastEnqueuedSequenceNumber, Number(partitionId));
    }
});

flow("A_partition_key_leads_to_the_partition_that_the_service_chooses", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup);
    const expected = { a: "0", "key-A": "0", "key-B": "1", alphabet: "2", TeamMLB: "1", "order-42": "3", "ünïcödé": "3" };
    for (const partitionKey of Object.keys(expected)) {
        for (let i = 0; i < 3; i++) await producer.sendBatch([{ body: Buffer.from(partitionKey) }], { partitionKey });
    }
    const consumer = consumerOf(hub, cleanup);
    for (const partition of ["0", "1", "2", "3"]) {
        const keys = Object.keys(expected).filter(key => expected[key] === partition);
        const events = await read(consumer, partition, keys.length * 3);
        for (const event of events) assert.equal(event.partitionKey, textOf(event));
        assert.deepEqual(new Set(events.map(event => event.partitionKey)), new Set(keys));
    }
});

flow("Properties_of_every_type_come_back", async (hub, cleanup) => {
    const properties = {
        zero: 0, positive: 42, negative: -7, large: 5_000_000_000, half: 1.5, yes: true, no: false, text: "päyload", empty: "",
        nothing: null, bytes: Buffer.from([0, 1, 255]), when: new Date(1_700_000_000_123), safe: Number.MAX_SAFE_INTEGER, least: -2_147_483_648,
    };
    const event = { body: Buffer.from("x"), contentType: "text/plain", messageId: "m-1", correlationId: "c-1", properties };
    await producerOf(hub, cleanup).sendBatch([event], { partitionId: "0" });
    const [got] = await read(consumerOf(hub, cleanup), "0", 1);
    assert.deepEqual([got.contentType, got.messageId, got.correlationId], ["text/plain", "m-1", "c-1"]);
    assert.deepEqual(Object.keys(got.properties), Object.keys(properties));
    for (const [name, value] of Object.entries(properties)) {
        if (value instanceof Date) assert.equal(new Date(got.properties[name]).getTime(), value.getTime());
        else if (Buffer.isBuffer(value)) assert.deepEqual(Object.values(got.properties[name]), [...value]); // the SDK copies binaries as objects
        else assert.equal(got.properties[name], value, name);
    }
});

flow("An_annotated_message_keeps_every_section", async (hub, cleanup) => {
    const message = {
        body: [[1, "two", true]], bodyType: "sequence",
        header: { durable: true, priority: 7, timeToLive: 60_000 },
        footer: { "x-foot": "print" }, deliveryAnnotations: { "x-delivery": 1 }, messageAnnotations: { "x-mine": "kept" },
        applicationProperties: { a: 1 },
        properties: { messageId: "m", subject: "s", replyTo: "r", to: "t", contentType: "c/t", contentEncoding: "e", groupId: "g", replyToGroupId: "rg" },
    };
    await producerOf(hub, cleanup).sendBatch([message], { partitionId: "0" });
    const [event] = await read(consumerOf(hub, cleanup), "0", 1);
    const raw = event.getRawAmqpMessage();
    assert.equal(raw.bodyType, "sequence");
    assert.deepEqual(raw.body.content ?? raw.body, [[1, "two", true]]); // 6.0.4 hands out its AMQP library's section
    assert.equal(raw.header.priority, 7);
    assert.equal(raw.footer["x-foot"], "print");
    assert.equal(raw.messageAnnotations["x-mine"], "kept");
    assert.equal(raw.applicationProperties.a, 1);
    for (const [name, value] of Object.entries(message.properties)) assert.equal(raw.properties[name], value, name);
});

flow("Bodies_from_nothing_to_just_below_the_limit_arrive_unchanged", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup);
    const sizes = [0, 1, 255, 256, 65_535, 65_536, 200_000, 1_048_000];
    const sent = sizes.map(size => randomBytes(size));
    for (const body of sent) await producer.sendBatch([{ body }], { partitionId: "0" });
    const events = await read(consumerOf(hub, cleanup), "0", sizes.length);
    events.forEach((event, i) => assert.equal(Buffer.compare(Buffer.from(event.body), sent[i]), 0, `${sizes[i]} bytes`));
});

flow("An_event_beyond_the_limit_is_refused_as_too_large", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup);
    const error = await refusal(producer.sendBatch([{ body: Buffer.alloc(1_048_577) }], { partitionId: "0" }));
    assert.equal(error.code, "MessageTooLargeError");
    await producer.sendBatch(bodies(1), { partitionId: "0" });
    assert.equal((await producer.getPartitionProperties("0")).lastEnqueuedSequenceNumber, 0);
});

flow("A_batch_takes_events_up_to_the_limit_and_is_accepted_then", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup);
    for (const [partitionId, length, least] of [["0", 10_000, 100], ["1", 10, 10_000]]) {
        const batch = await producer.createBatch({ partitionId });
        assert.equal(batch.maxSizeInBytes, 1_048_576);
        while (batch.tryAdd({ body: Buffer.alloc(length) }));
        assert.ok(batch.count >= least && batch.sizeInBytes <= batch.maxSizeInBytes && batch.sizeInBytes > 1_030_000);
        await producer.sendBatch(batch);
        assert.equal((await producer.getPartitionProperties(partitionId)).lastEnqueuedSequenceNumber, batch.count - 1);
    }
    const small = await producer.createBatch({ maxSizeInBytes: 1_000 });
    assert.ok(!small.tryAdd({ body: Buffer.alloc(1_001) }));
    await refusal(producer.createBatch({ maxSizeInBytes: 2_000_000 }));
});

flow("The_buffered_producer_sends_everything_it_was_given", async (hub, cleanup) => {
    let sent = 0;
    const failures = [];
    const producer = new EventHubBufferedProducerClient(connection, hub, {
        retryOptions, maxWaitTimeInMs: 100,
        onSendEventsSuccessHandler: async ({ events }) => { sent += events.length; },
        onSendEventsErrorHandler: async ({ error }) => { failures.push(error); },
    });
    const keys = ["k0", "k1", "k2", "k3", "k4"];
    for (let i = 0; i < 400; i++) {
        const key = keys[i % keys.length];
        await (i % 4 === 0 ? producer.enqueueEvent({ body: Buffer.from("no key") }) : producer.enqueueEvent({ body: Buffer.from(key) }, { partitionKey: key }));
    }
    await producer.close({ flush: true });
    assert.deepEqual(failures, []);
    assert.equal(sent, 400);

    // That SDK hashes on its side and drops the key. The service must choose the same partition for an event that carries it.
    const plain = producerOf(hub, cleanup);
    for (const key of keys) await plain.sendBatch([{ body: Buffer.from(key) }], { partitionKey: key });
    const consumer = consumerOf(hub, cleanup);
    const partitions = new Map(keys.map(key => [key, new Set()]));
    let total = 0;
    for (const partition of ["0", "1", "2", "3"]) {
        const count = (await plain.getPartitionProperties(partition)).lastEnqueuedSequenceNumber + 1;
        total += count;
        for (const event of count > 0 ? await read(consumer, partition, count) : []) partitions.get(textOf(event))?.add(partition);
    }
    assert.equal(total, 405);
    for (const [key, where] of partitions) assert.equal(where.size, 1, `${key} in partitions ${[...where]}`);
});

flow("A_thousand_events_with_keys_arrive_once_and_in_order", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup);
    const total = 1_000;
    for (let i = 0; i < total; i += 25) {
        const batch = await producer.createBatch({ partitionKey: `key-${(i / 25) % 7}` });
        for (let n = i; n < i + 25; n++) assert.ok(batch.tryAdd({ body: Buffer.from(String(n)) }));
        await producer.sendBatch(batch);
    }
    const consumer = consumerOf(hub, cleanup);
    const seen = [];
    const partitionOf = new Map();
    for (const partition of ["0", "1", "2", "3"]) {
        const count = (await producer.getPartitionProperties(partition)).lastEnqueuedSequenceNumber + 1;
        const events = count > 0 ? await read(consumer, partition, count) : [];
        assert.deepEqual(events.map(event => event.sequenceNumber), [...Array(count).keys()]);
        for (const event of events) {
            assert.equal(event.partitionKey, `key-${Math.floor(Number(textOf(event)) / 25) % 7}`);
            assert.equal(partitionOf.get(event.partitionKey) ?? partition, partition, "a key in two partitions");
            partitionOf.set(event.partitionKey, partition);
            seen.push(Number(textOf(event)));
        }
        for (const key of new Set(events.map(event => event.partitionKey))) {
            const ofKey = textsOf(events.filter(event => event.partitionKey === key)).map(Number);
            assert.deepEqual(ofKey, [...ofKey].sort((a, b) => a - b));
        }
    }
    assert.deepEqual(seen.sort((a, b) => a - b), [...Array(total).keys()]);
});

// Reading

flow("A_reader_starts_at_the_earliest_event", async (hub, cleanup) => {
    await producerOf(hub, cleanup).sendBatch(bodies(5), { partitionId: "0" });
    assert.deepEqual(textsOf(await read(consumerOf(hub, cleanup), "0", 5, earliestEventPosition)), ["e0", "e1", "e2", "e3", "e4"]);
});

flow("A_reader_at_the_latest_position_gets_only_new_events", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup);
    await producer.sendBatch(bodies(5, "old"), { partitionId: "0" });
    const reading = readingOf(consumerOf(hub, cleanup), "0", latestEventPosition);
    // An empty batch after the waiting time says that the link is open.
    await until(() => reading.batches > 0, "the reader never reported an empty wait");
    await producer.sendBatch(bodies(2, "new"), { partitionId: "0" });
    await until(() => reading.events.length >= 2, "the new events did not arrive");
    assert.deepEqual(textsOf(reading.events), ["new0", "new1"]);
    await reading.subscription.close();
});

flow("A_reader_starts_after_or_at_an_offset", async (hub, cleanup) => {
    await producerOf(hub, cleanup).sendBatch(bodies(5), { partitionId: "0" });
    const consumer = consumerOf(hub, cleanup);
    const { offset } = (await read(consumer, "0", 5))[2];
    assert.deepEqual(textsOf(await read(consumer, "0", 2, { offset })), ["e3", "e4"]);
    assert.deepEqual(textsOf(await read(consumer, "0", 3, { offset, isInclusive: true })), ["e2", "e3", "e4"]);
});

flow("A_reader_starts_after_or_at_a_sequence_number", async (hub, cleanup) => {
    await producerOf(hub, cleanup).sendBatch(bodies(5), { partitionId: "0" });
    const consumer = consumerOf(hub, cleanup);
    assert.deepEqual(textsOf(await read(consumer, "0", 1, { sequenceNumber: 3 })), ["e4"]);
    assert.deepEqual(textsOf(await read(consumer, "0", 2, { sequenceNumber: 3, isInclusive: true })), ["e3", "e4"]);
});

flow("A_reader_starts_after_an_enqueued_time", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup);
    await producer.sendBatch(bodies(3, "before"), { partitionId: "0" });
    const { lastEnqueuedOnUtc } = await producer.getPartitionProperties("0");
    await until(() => Date.now() > lastEnqueuedOnUtc.getTime() + 20, "the clock stands still");
    await producer.sendBatch(bodies(2, "after"), { partitionId: "0" });
    const events = await read(consumerOf(hub, cleanup), "0", 2, { enqueuedOn: lastEnqueuedOnUtc });
    assert.deepEqual(textsOf(events), ["after0", "after1"]);
});

flow("An_empty_partition_hands_an_empty_batch_after_the_waiting_time", async (hub, cleanup) => {
    const reading = readingOf(consumerOf(hub, cleanup), "0");
    await until(() => reading.batches >= 2, "no empty batch came");
    assert.deepEqual([reading.events.length, reading.error], [0, null]);
    await reading.subscription.close();
});

flow("The_last_enqueued_event_is_reported_with_every_delivery", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup);
    await producer.sendBatch(bodies(9), { partitionId: "0" });
    const reading = readingOf(consumerOf(hub, cleanup), "0", earliestEventPosition, { trackLastEnqueuedEventProperties: true });
    await until(() => reading.events.length === 9, "the events did not arrive");
    const last = reading.context.lastEnqueuedEventProperties;
    const properties = await producer.getPartitionProperties("0");
    assert.equal(last.sequenceNumber, 8);
    assert.equal(String(last.offset), String(properties.lastEnqueuedOffset));
    assert.equal(last.enqueuedOn.getTime(), properties.lastEnqueuedOnUtc.getTime());
    assert.ok(last.retrievedOn instanceof Date);
    await reading.subscription.close();
});

flow("Consumer_groups_read_independently", async (hub, cleanup) => {
    await producerOf(hub, cleanup).sendBatch(bodies(10), { partitionId: "2" });
    const [first, second] = await Promise.all(["$Default", "second"].map(group => read(consumerOf(hub, cleanup, { group }), "2", 10)));
    assert.deepEqual(textsOf(first), textsOf(second));
});

flow("A_higher_owner_level_evicts_a_lower_one", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup);
    const low = readingOf(consumerOf(hub, cleanup), "0", earliestEventPosition, { ownerLevel: 1 });
    await until(() => low.batches > 0, "the first reader did not start");
    const high = readingOf(consumerOf(hub, cleanup), "0", earliestEventPosition, { ownerLevel: 2 });
    await until(() => low.error, "the first reader was not evicted");
    assert.equal(low.error.code, "ReceiverDisconnectedError");
    await producer.sendBatch(bodies(3), { partitionId: "0" });
    await until(() => high.events.length === 3, "the second reader does not read");
    assert.deepEqual([low.events.length, high.error], [0, null]);
});

flow("A_lower_owner_level_and_none_are_refused", async (hub, cleanup) => {
    const high = readingOf(consumerOf(hub, cleanup), "0", earliestEventPosition, { ownerLevel: 5 });
    await until(() => high.batches > 0, "the first reader did not start");
    for (const options of [{ ownerLevel: 4 }, {}]) {
        const low = readingOf(consumerOf(hub, cleanup), "0", earliestEventPosition, options);
        await until(() => low.error, "the lower reader was not refused");
        assert.equal(low.error.code, "ReceiverDisconnectedError");
    }
    assert.equal(high.error, null);
});

// Management

flow("Hub_properties_name_the_hub_and_its_partitions", async (hub, cleanup) => {
    const properties = await producerOf(hub, cleanup).getEventHubProperties();
    assert.equal(properties.name, hub);
    assert.deepEqual(properties.partitionIds, ["0", "1", "2", "3"]);
    assert.ok(Math.abs(Date.now() - properties.createdOn.getTime()) < 600_000);
});

flow("Partition_properties_follow_the_partition", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup);
    const empty = await producer.getPartitionProperties("3");
    assert.deepEqual([empty.eventHubName, empty.partitionId, empty.isEmpty, empty.lastEnqueuedSequenceNumber], [hub, "3", true, -1]);
    await producer.sendBatch(bodies(7), { partitionId: "3" });
    const filled = await producer.getPartitionProperties("3");
    assert.deepEqual([filled.isEmpty, filled.beginningSequenceNumber, filled.lastEnqueuedSequenceNumber], [false, 0, 6]);
    const events = await read(consumerOf(hub, cleanup), "3", 7);
    assert.equal(String(filled.lastEnqueuedOffset), String(events.at(-1).offset));
    assert.equal(filled.lastEnqueuedOnUtc.getTime(), events.at(-1).enqueuedTimeUtc.getTime());
});

// Errors

flow("An_unknown_hub_is_reported_by_its_error", async (hub, cleanup) => {
    const producer = producerOf("no-such-hub", cleanup, { retry: once });
    for (const call of [() => producer.sendBatch(bodies(1)), () => producer.getEventHubProperties()]) {
        const error = await refusal(call);
        assert.equal(error.code, "MessagingEntityNotFoundError");
        assert.match(error.message, /The messaging entity 'sb:\/\/127\.0\.0\.1\/no-such-hub' could not be found/);
    }
});

flow("An_unknown_partition_is_reported_by_its_error", async (hub, cleanup) => {
    const error = await refusal(producerOf(hub, cleanup, { retry: once }).getPartitionProperties("99"));
    assert.equal(error.code, "ArgumentOutOfRangeError");
    const sending = await refusal(producerOf(hub, cleanup, { retry: once }).sendBatch(bodies(1), { partitionId: "99" }));
    assert.match(sending.message, /The specified partition is invalid for an EventHub partition sender or receiver\. It should be between 0 and \d/);
    const reading = readingOf(consumerOf(hub, cleanup, { retry: once }), "99");
    await until(() => reading.error, "the reader was not refused");
    assert.equal(reading.error.code, "ArgumentOutOfRangeError");
});

flow("An_unknown_consumer_group_is_reported_by_its_error", async (hub, cleanup) => {
    const reading = readingOf(consumerOf(hub, cleanup, { group: "no-such-group", retry: once }), "0");
    await until(() => reading.error, "the reader was not refused");
    assert.equal(reading.error.code, "MessagingEntityNotFoundError");
});

flow("A_wrong_key_is_unauthorised", async (hub, cleanup) => {
    const wrong = connection.replace(/SharedAccessKey=[^;]+/, `SharedAccessKey=${Buffer.alloc(32, 1).toString("base64")}`);
    const producer = producerOf(hub, cleanup, { connectionString: wrong, retry: once });
    assert.equal((await refusal(producer.sendBatch(bodies(1)))).code, "UnauthorizedError");
    assert.equal((await refusal(producer.getEventHubProperties())).code, "UnauthorizedError");
});

/** A connection string that carries a token of its own instead of the key. */
function tokenString(hub, secondsToLive) {
    const { Endpoint, SharedAccessKeyName, SharedAccessKey } = partsOf(connection);
    const audience = encodeURIComponent(`${Endpoint.replace(/\/$/, "")}/${hub}`);
    const expiry = Math.floor(Date.now() / 1000) + secondsToLive;
    const signature = encodeURIComponent(createHmac("sha256", SharedAccessKey).update(`${audience}\n${expiry}`).digest("base64"));
    const token = `SharedAccessSignature sr=${audience}&sig=${signature}&se=${expiry}&skn=${SharedAccessKeyName}`;
    return `Endpoint=${Endpoint};SharedAccessSignature=${token};UseDevelopmentEmulator=true`;
}

flow("A_token_of_the_hub_is_enough", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup, { connectionString: tokenString(hub, 300), retry: once });
    await producer.sendBatch(bodies(1), { partitionId: "0" });
    assert.equal((await producer.getPartitionProperties("0")).lastEnqueuedSequenceNumber, 0);
});

flow("An_expired_token_is_unauthorised", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup, { connectionString: tokenString(hub, -60), retry: once });
    assert.equal((await refusal(producer.sendBatch(bodies(1)))).code, "UnauthorizedError");
});

flow("A_token_of_another_hub_is_unauthorised", async (hub, cleanup) => {
    const producer = producerOf(hub, cleanup, { connectionString: tokenString("another", 300), retry: once });
    assert.equal((await refusal(producer.sendBatch(bodies(1)))).code, "UnauthorizedError");
});

// Broken connections

flow("A_reader_continues_after_a_cut_without_gap_or_repeat", async (hub, cleanup) => {
    const relay = await cuttable(connection, cleanup);
    const producer = producerOf(hub, cleanup);
    const reading = readingOf(consumerOf(hub, cleanup, { connectionString: relay.connectionString }), "0");
    for (let round = 0; round < 3; round++) {
        await producer.sendBatch(bodies(20, `r${round}-`), { partitionId: "0" });
        await until(() => reading.events.length >= 20 * (round + 1), () => `${reading.events.length} events in round ${round}`);
        assert.ok(relay.cut() > 0, "no connection went through the relay");
    }
    await producer.sendBatch(bodies(20, "r3-"), { partitionId: "0" });
    await until(() => reading.events.length >= 80, () => `${reading.events.length} events after the last cut`);
    assert.deepEqual(reading.events.map(event => event.sequenceNumber), [...Array(80).keys()]);
    await reading.subscription.close();
});

flow("A_producer_sends_on_after_a_cut", async (hub, cleanup) => {
    const relay = await cuttable(connection, cleanup);
    const producer = producerOf(hub, cleanup, { connectionString: relay.connectionString });
    for (let round = 0; round < 3; round++) {
        await producer.sendBatch([{ body: Buffer.from(`r${round}`) }], { partitionId: "0" });
        assert.ok(relay.cut() > 0, "no connection went through the relay");
    }
    await producer.sendBatch([{ body: Buffer.from("r3") }], { partitionId: "0" });
    assert.deepEqual(textsOf(await read(consumerOf(hub, cleanup), "0", 4)), ["r0", "r1", "r2", "r3"]);
});

await runFlows();
