// Service Bus through the official SDK. Every flow has a queue of its own, or a topic with the subscriptions one and two, named like the flow.
// A settlement is awaited before one of another kind is made: the SDK's AMQP library joins different outcomes of one turn into the first.
import { ServiceBusClient } from "@azure/service-bus";
import assert from "node:assert/strict";
import { cuttable, flow, pause, refusal, runFlows, until } from "./flows.mjs";

const connection = process.env.SERVICEBUS_CONNECTION_STRING;
const wait = { maxWaitTimeInMs: 10_000 };
const briefly = { maxWaitTimeInMs: 600 };

function clientOf(cleanup, connectionString = connection, maxRetries = 2) {
    const client = new ServiceBusClient(connectionString, { retryOptions: { maxRetries, retryDelayInMs: 100, timeoutInMs: 10_000 } });
    cleanup(() => client.close());
    return client;
}

/** A sender and a receiver of one queue. */
function endsOf(queue, cleanup, options = {}) {
    const client = clientOf(cleanup);
    return { client, sender: client.createSender(queue), receiver: client.createReceiver(queue, options) };
}

async function receiveOne(receiver) {
    const [message] = await receiver.receiveMessages(1, wait);
    assert.ok(message, "no message came");
    return message;
}

async function receiveAll(receiver, count) {
    const messages = [];
    while (messages.length < count) {
        const more = await receiver.receiveMessages(count - messages.length, wait);
        assert.ok(more.length > 0, `${messages.length} of ${count} messages came`);
        messages.push(...more);
    }
    return messages;
}

const hasNone = async receiver => assert.deepEqual((await receiver.receiveMessages(1, briefly)).map(message => message.body), []);
const completeAll = async (receiver, messages) => { for (const message of messages) await receiver.completeMessage(message); };
const bodiesOf = messages => messages.map(message => message.body);

// Sending and receiving

flow("A_message_arrives_with_all_its_properties_and_is_completed", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup);
    const sent = {
        body: { text: "päyload" }, messageId: "m-1", correlationId: "c-1", contentType: "application/json", subject: "s", to: "t", replyTo: "r",
        partitionKey: "p", timeToLive: 3_600_000, applicationProperties: { n: 42, negative: -7, half: 1.5, yes: true, text: "ü", when: new Date(1_700_000_000_123) },
    };
    await sender.sendMessages(sent);
    const message = await receiveOne(receiver);
    for (const name of ["messageId", "correlationId", "contentType", "subject", "to", "replyTo", "partitionKey", "timeToLive"]) assert.equal(message[name], sent[name], name);
    assert.deepEqual(message.body, sent.body);
    for (const [name, value] of Object.entries(sent.applicationProperties)) assert.equal(+new Date(message.applicationProperties[name]) || message.applicationProperties[name], +new Date(value) || value, name);
    assert.equal(message.deliveryCount, 0);
    assert.ok(message.lockedUntilUtc > new Date() && message.enqueuedTimeUtc instanceof Date && message.lockToken && message.sequenceNumber.toNumber() > 0);
    await receiver.completeMessage(message);
    await hasNone(receiver);
});

flow("A_batch_arrives_whole_and_in_order", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup);
    const batch = await sender.createMessageBatch();
    assert.equal(batch.maxSizeInBytes, 262_144);
    for (let i = 0; i < 100; i++) assert.ok(batch.tryAddMessage({ body: i }));
    await sender.sendMessages(batch);
    await sender.sendMessages(Array.from({ length: 50 }, (_, i) => ({ body: 100 + i })));
    const messages = await receiveAll(receiver, 150);
    assert.deepEqual(bodiesOf(messages), [...Array(150).keys()]);
    await completeAll(receiver, messages);
    await hasNone(receiver);
});

flow("A_message_beyond_the_limit_is_refused_as_too_large", async (queue, cleanup) => {
    const { sender } = endsOf(queue, cleanup);
    const error = await refusal(sender.sendMessages({ body: Buffer.alloc(262_145) }));
    assert.match(error.code, /MessageSizeExceeded|MessageTooLarge/);
    assert.match(error.message, /The received message \(delivery-id:\d+, size:\d+ bytes\) exceeds the limit \(262144 bytes\) currently allowed on the link\./);
    const batch = await sender.createMessageBatch();
    assert.ok(!batch.tryAddMessage({ body: Buffer.alloc(262_145) }));
});

flow("Receive_and_delete_leaves_no_messages", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup, { receiveMode: "receiveAndDelete" });
    await sender.sendMessages([{ body: 1 }, { body: 2 }]);
    assert.deepEqual(bodiesOf(await receiveAll(receiver, 2)), [1, 2]);
    await hasNone(receiver);
    assert.equal((await receiver.peekMessages(1)).length, 0);
});

flow("The_iterator_hands_messages_one_by_one", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup);
    await sender.sendMessages([{ body: 0 }, { body: 1 }, { body: 2 }]);
    let next = 0;
    for await (const message of receiver.getMessageIterator()) {
        assert.equal(message.body, next++);
        await receiver.completeMessage(message);
        if (next === 3) break;
    }
});

// Settling

flow("An_abandoned_message_comes_again_with_a_higher_delivery_count", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup);
    await sender.sendMessages({ body: "a" });
    await receiver.abandonMessage(await receiveOne(receiver), { note: "again" });
    const message = await receiveOne(receiver);
    assert.deepEqual([message.deliveryCount, message.applicationProperties.note], [1, "again"]);
    await receiver.completeMessage(message);
    await hasNone(receiver);
});

flow("A_message_that_fails_too_often_becomes_a_dead_letter", async (queue, cleanup) => {
    const { client, sender, receiver } = endsOf(queue, cleanup);
    await sender.sendMessages({ body: "poison" });
    for (let i = 0; i < 3; i++) await receiver.abandonMessage(await receiveOne(receiver));
    await hasNone(receiver);
    const dead = client.createReceiver(queue, { subQueueType: "deadLetter" });
    const message = await receiveOne(dead);
    assert.deepEqual([message.body, message.deadLetterReason], ["poison", "MaxDeliveryCountExceeded"]);
    await dead.completeMessage(message);
});

flow("A_deferred_message_is_received_by_its_number", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup);
    await sender.sendMessages([{ body: "later" }, { body: "now" }]);
    const [later, now] = await receiveAll(receiver, 2);
    await receiver.deferMessage(later);
    await receiver.completeMessage(now);
    await hasNone(receiver);
    const [message] = await receiver.receiveDeferredMessages(later.sequenceNumber);
    assert.equal(message.body, "later");
    assert.deepEqual([message.state, message.deliveryCount], ["deferred", 1]);
    await receiver.completeMessage(message);
    assert.equal((await refusal(receiver.receiveDeferredMessages(later.sequenceNumber))).code, "MessageNotFound");
});

flow("A_dead_letter_has_its_reason", async (queue, cleanup) => {
    const { client, sender, receiver } = endsOf(queue, cleanup);
    await sender.sendMessages({ body: "bad" });
    await receiver.deadLetterMessage(await receiveOne(receiver), { deadLetterReason: "why", deadLetterErrorDescription: "because", extra: 7 });
    await hasNone(receiver);
    const dead = client.createReceiver(queue, { subQueueType: "deadLetter" });
    const message = await receiveOne(dead);
    assert.deepEqual([message.body, message.deadLetterReason, message.deadLetterErrorDescription, message.applicationProperties.extra], ["bad", "why", "because", 7]);
    await dead.completeMessage(message);
    await hasNone(dead);
});

flow("A_dead_letter_cannot_be_dead_lettered_again", async (queue, cleanup) => {
    const { client, sender, receiver } = endsOf(queue, cleanup);
    await sender.sendMessages({ body: "bad" });
    await receiver.deadLetterMessage(await receiveOne(receiver));
    const dead = client.createReceiver(queue, { subQueueType: "deadLetter" });
    assert.equal((await refusal(dead.deadLetterMessage(await receiveOne(dead)))).code, "GeneralError");
    const message = await receiveOne(dead);
    assert.deepEqual([message.body, message.deliveryCount], ["bad", 0]);
    await dead.completeMessage(message);
});

flow("The_flags_of_a_message_arrive_as_they_were_sent", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup, { receiveMode: "receiveAndDelete" });
    const header = { durable: false, firstAcquirer: false, priority: 20, timeToLive: 100_000 };
    await sender.sendMessages([{ body: 1, bodyType: "data", header }, { body: 2, bodyType: "data", header: { durable: true } }, { body: 3 }]);
    const [all, some, none] = (await receiveAll(receiver, 3)).map(message => message._rawAmqpMessage.header);
    assert.deepEqual(all, { ...header, deliveryCount: 0 });
    assert.deepEqual([some.durable, some.firstAcquirer, none.durable, none.firstAcquirer], [true, undefined, undefined, undefined]);
});

flow("A_message_is_settled_after_its_receiver_has_closed", async (queue, cleanup) => {
    const { client, sender, receiver } = endsOf(queue, cleanup);
    await sender.sendMessages({ body: "kept" });
    const message = await receiveOne(receiver);
    await receiver.close();
    const other = client.createReceiver(queue);
    await other.completeMessage(message);
    await hasNone(other);
    assert.equal((await other.peekMessages(1)).length, 0);
});

// Locks. The SDK renews the locks of received messages by itself unless it is told not to.

flow("A_renewed_lock_lasts_longer", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup, { maxAutoLockRenewalDurationInMs: 0 });
    await sender.sendMessages({ body: "a" });
    const message = await receiveOne(receiver);
    const { lockedUntilUtc } = message;
    await pause(1_500);
    assert.ok(await receiver.renewMessageLock(message) > lockedUntilUtc);
    await until(() => Date.now() > lockedUntilUtc.getTime() + 200, "the clock stands still");
    await receiver.completeMessage(message);
    await hasNone(receiver);
});

flow("An_expired_lock_is_lost_and_the_message_comes_again", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup, { maxAutoLockRenewalDurationInMs: 0 });
    await sender.sendMessages({ body: "a" });
    const message = await receiveOne(receiver);
    await until(() => Date.now() > message.lockedUntilUtc.getTime() + 500, "the clock stands still");
    assert.equal((await refusal(receiver.completeMessage(message))).code, "MessageLockLost");
    assert.equal((await refusal(receiver.renewMessageLock(message))).code, "MessageLockLost");
    const again = await receiveOne(receiver);
    assert.deepEqual([again.body, again.deliveryCount], ["a", 1]);
    await receiver.completeMessage(again);
});

flow("A_processor_renews_the_locks_of_slow_messages", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup);
    await sender.sendMessages(Array.from({ length: 6 }, (_, i) => ({ body: i, messageId: `m${i}` })));
    const seen = [];
    let error = null;
    const subscription = receiver.subscribe({
        processMessage: async message => { if (message.body === 0) await pause(5_000); seen.push(`${message.body}:${message.deliveryCount}`); },
        processError: async args => { error ??= args.error; },
    }, { maxConcurrentCalls: 3, autoCompleteMessages: true, maxAutoLockRenewalDurationInMs: 60_000 });
    await until(() => error || seen.length >= 6, () => `${seen.length} of 6 messages were processed`);
    if (error) throw error;
    await pause(300);
    await subscription.close();
    assert.deepEqual(seen.sort(), ["0:0", "1:0", "2:0", "3:0", "4:0", "5:0"]);
    await hasNone(receiver);
});

// Peek, schedule, time to live, duplicates

flow("Peek_shows_messages_without_locking_them", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup);
    await sender.sendMessages([0, 1, 2, 3, 4].map(body => ({ body })));
    const [first] = await receiver.peekMessages(1);
    const [bare] = await receiver.peekMessages(1, { fromSequenceNumber: first.sequenceNumber, omitMessageBody: true });
    assert.deepEqual([first.body, bare.body, bare.sequenceNumber], [0, undefined, first.sequenceNumber]);
    assert.deepEqual(bodiesOf(await receiver.peekMessages(2)), [1, 2]);
    assert.deepEqual(bodiesOf(await receiver.peekMessages(10)), [3, 4]);
    assert.deepEqual(bodiesOf(await receiver.peekMessages(10)), []);
    const messages = await receiveAll(receiver, 5);
    assert.deepEqual(messages.map(message => message.deliveryCount), [0, 0, 0, 0, 0]);
    assert.deepEqual(bodiesOf(await receiver.peekMessages(2, { fromSequenceNumber: messages[3].sequenceNumber })), [3, 4]);
});

flow("A_scheduled_message_comes_at_its_time", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup);
    await hasNone(receiver);
    const when = new Date(Date.now() + 4_000);
    const [number] = await sender.scheduleMessages([{ body: "by operation", messageId: "1" }], when);
    assert.ok(number.toNumber() > 0);
    await sender.sendMessages({ body: "by property", scheduledEnqueueTimeUtc: when });
    await hasNone(receiver);
    assert.equal((await receiver.peekMessages(1))[0].state, "scheduled");
    const messages = await receiveAll(receiver, 2);
    assert.ok(Date.now() >= when.getTime() - 50, "it came before its time");
    assert.deepEqual(bodiesOf(messages).sort(), ["by operation", "by property"]);
    assert.deepEqual(messages.map(message => message.state), ["scheduled", "scheduled"]);
    await completeAll(receiver, messages);
});

flow("A_cancelled_message_never_comes", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup);
    const [first, second] = await sender.scheduleMessages([{ body: "cancelled" }, { body: "kept" }], new Date(Date.now() + 1_500));
    await sender.cancelScheduledMessages(first);
    const message = await receiveOne(receiver);
    assert.equal(message.body, "kept");
    await receiver.completeMessage(message);
    await hasNone(receiver);
    assert.equal((await refusal(sender.cancelScheduledMessages(second))).code, "MessageNotFound");
});

flow("A_message_whose_time_is_over_goes_away", async (queue, cleanup) => {
    const { client, sender, receiver } = endsOf(queue, cleanup);
    await sender.sendMessages([{ body: "short", timeToLive: 500 }, { body: "long", timeToLive: 60_000 }]);
    await pause(1_200);
    const messages = await receiver.receiveMessages(2, { maxWaitTimeInMs: 2_000 });
    assert.deepEqual(bodiesOf(messages), ["long"]);
    await completeAll(receiver, messages);
    await hasNone(client.createReceiver(queue, { subQueueType: "deadLetter" }));
});

flow("A_queue_may_keep_messages_whose_time_is_over_as_dead_letters", async (queue, cleanup) => {
    const { client, sender, receiver } = endsOf(queue, cleanup);
    await sender.sendMessages({ body: "short", timeToLive: 300 });
    await pause(800);
    await hasNone(receiver);
    const dead = client.createReceiver(queue, { subQueueType: "deadLetter" });
    const message = await receiveOne(dead);
    assert.deepEqual([message.body, message.deadLetterReason], ["short", "TTLExpiredException"]);
    await dead.completeMessage(message);
});

flow("A_second_message_of_the_same_id_is_dropped", async (queue, cleanup) => {
    const { sender, receiver } = endsOf(queue, cleanup);
    for (const messageId of ["a", "b", "a", "a"]) await sender.sendMessages({ body: messageId, messageId });
    const messages = await receiveAll(receiver, 2);
    assert.deepEqual(bodiesOf(messages), ["a", "b"]);
    await completeAll(receiver, messages);
    await sender.sendMessages({ body: "a", messageId: "a" });
    await hasNone(receiver);
});

// Topics

// A list of rules of SDK 7.9.5 ends with an item that is undefined.
const rulesOf = async rules => { const list = []; for await (const rule of rules.listRules()) if (rule) list.push(rule); return list; };

flow("A_topic_gives_every_subscription_its_copy", async (topic, cleanup) => {
    const client = clientOf(cleanup);
    await client.createSender(topic).sendMessages([{ body: 1 }, { body: 2 }]);
    for (const subscription of ["one", "two"]) {
        const receiver = client.createReceiver(topic, subscription);
        const messages = await receiveAll(receiver, 2);
        assert.deepEqual(bodiesOf(messages), [1, 2]);
        await completeAll(receiver, messages);
        await hasNone(receiver);
    }
});

flow("A_subscription_has_its_own_dead_letters", async (topic, cleanup) => {
    const client = clientOf(cleanup);
    await client.createSender(topic).sendMessages({ body: "t" });
    const one = client.createReceiver(topic, "one");
    await one.deadLetterMessage(await receiveOne(one), { deadLetterReason: "why" });
    const dead = client.createReceiver(topic, "one", { subQueueType: "deadLetter" });
    const message = await receiveOne(dead);
    assert.equal(message.deadLetterReason, "why");
    await dead.completeMessage(message);
    const two = client.createReceiver(topic, "two");
    await two.completeMessage(await receiveOne(two));
    await hasNone(client.createReceiver(topic, "two", { subQueueType: "deadLetter" }));
});

flow("A_correlation_rule_chooses_the_messages_of_a_subscription", async (topic, cleanup) => {
    const client = clientOf(cleanup);
    const rules = client.createRuleManager(topic, "one");
    const names = async () => (await rulesOf(rules)).map(rule => rule.name);
    assert.deepEqual(await names(), ["$Default"]);
    await rules.createRule("red", { subject: "red", applicationProperties: { size: "large" } });
    await rules.deleteRule("$Default");
    assert.deepEqual(await names(), ["red"]);
    await client.createSender(topic).sendMessages([
        { body: "blue", subject: "blue" },
        { body: "small", subject: "red", applicationProperties: { size: "small" } },
        { body: "match", subject: "red", applicationProperties: { size: "large" } },
    ]);
    const one = client.createReceiver(topic, "one");
    const message = await receiveOne(one);
    assert.equal(message.body, "match");
    await one.completeMessage(message);
    await hasNone(one);
    const two = client.createReceiver(topic, "two");
    await completeAll(two, await receiveAll(two, 3));
});

flow("An_SQL_rule_chooses_the_messages_of_a_subscription", async (topic, cleanup) => {
    const client = clientOf(cleanup);
    const rules = client.createRuleManager(topic, "one");
    const sqlExpression = "sys.Label LIKE 'order-%' AND (size * 2 > 9.5 OR user.[from where] IN ('shop', 'web')) AND NOT EXISTS(test)";
    await rules.createRule("sql", { sqlExpression });
    await rules.deleteRule("$Default");
    assert.deepEqual((await rulesOf(rules)).map(rule => [rule.name, rule.filter]), [["sql", { sqlExpression }]]);
    await client.createSender(topic).sendMessages([
        { body: "large", subject: "order-1", applicationProperties: { size: 5 } },
        { body: "small", subject: "order-2", applicationProperties: { size: 4 } },
        { body: "web", subject: "order-3", applicationProperties: { size: 1.5, "From Where": "web" } },
        { body: "test", subject: "order-4", applicationProperties: { size: 5, test: false } },
        { body: "none", subject: "order-5" },
        { body: "other", subject: "invoice", applicationProperties: { size: 5 } },
    ]);
    const one = client.createReceiver(topic, "one");
    const messages = await receiveAll(one, 2);
    assert.deepEqual(bodiesOf(messages), ["large", "web"]);
    await completeAll(one, messages);
    await hasNone(one);
    const two = client.createReceiver(topic, "two");
    await completeAll(two, await receiveAll(two, 6));
});

flow("An_SQL_rule_with_a_malformed_condition_is_refused_with_the_position", async (topic, cleanup) => {
    const rules = clientOf(cleanup, connection, 0).createRuleManager(topic, "one");
    const error = await refusal(rules.createRule("sql", { sqlExpression: "colour = 'red' AND" }));
    assert.match(error.message, /error parsing the SQL expression.*line=1, column=19/);
    assert.deepEqual((await rulesOf(rules)).map(rule => rule.name), ["$Default"]);
});

flow("The_action_of_a_rule_is_refused_with_a_reason", async (topic, cleanup) => {
    const rules = clientOf(cleanup, connection, 0).createRuleManager(topic, "one");
    const error = await refusal(rules.createRule("acting", { sqlExpression: "size > 3" }, { sqlExpression: "SET size = 3" }));
    assert.match(error.message, /action/);
    assert.deepEqual((await rulesOf(rules)).map(rule => rule.name), ["$Default"]);
});

// Forwarding

flow("A_queue_forwards_its_messages", async (queue, cleanup) => {
    const { client, sender } = endsOf(queue, cleanup);
    await sender.sendMessages([{ body: 1 }, { body: 2 }]);
    const target = client.createReceiver("forwarded");
    const messages = await receiveAll(target, 2);
    assert.deepEqual(bodiesOf(messages), [1, 2]);
    await completeAll(target, messages);
});

flow("A_queue_forwards_its_dead_letters", async (queue, cleanup) => {
    const { client, sender, receiver } = endsOf(queue, cleanup);
    await sender.sendMessages({ body: "bad" });
    await receiver.deadLetterMessage(await receiveOne(receiver), { deadLetterReason: "why" });
    const target = client.createReceiver("dead-forwarded");
    const message = await receiveOne(target);
    assert.deepEqual([message.body, message.deadLetterReason], ["bad", "why"]);
    await target.completeMessage(message);
});

// What is refused, and errors

flow("Sessions_are_refused_with_a_reason", async (queue, cleanup) => {
    const client = clientOf(cleanup, connection, 0);
    for (const call of [() => client.acceptSession(queue, "s"), () => client.acceptNextSession(queue)]) {
        const error = await refusal(call);
        assert.match(error.message, /session/i);
    }
});

flow("An_unknown_queue_is_reported_by_its_error", async (queue, cleanup) => {
    const client = clientOf(cleanup, connection, 0);
    for (const call of [
        () => client.createSender("no-such-queue").sendMessages({ body: 1 }),
        () => client.createReceiver("no-such-queue").receiveMessages(1, briefly),
        () => client.createReceiver("no-such-queue").peekMessages(1),
    ]) {
        const error = await refusal(call);
        assert.equal(error.code, "MessagingEntityNotFound");
        assert.match(error.message, /The messaging entity 'sb:\/\/127\.0\.0\.1\/no-such-queue(\/\$management)?' could not be found/);
    }
});

flow("A_wrong_key_is_unauthorised", async (queue, cleanup) => {
    const client = clientOf(cleanup, connection.replace(/SharedAccessKey=[^;]+/, `SharedAccessKey=${Buffer.alloc(32, 1).toString("base64")}`), 0);
    assert.equal((await refusal(client.createSender(queue).sendMessages({ body: 1 }))).code, "UnauthorizedAccess");
    assert.equal((await refusal(client.createReceiver(queue).receiveMessages(1, briefly))).code, "UnauthorizedAccess");
});

// Broken connections

flow("Sender_and_receiver_continue_after_a_cut", async (queue, cleanup) => {
    const relay = await cuttable(connection, cleanup);
    const client = clientOf(cleanup, relay.connectionString);
    const sender = client.createSender(queue);
    const receiver = client.createReceiver(queue);
    for (let round = 0; round < 3; round++) {
        await sender.sendMessages({ body: round });
        const message = await receiveOne(receiver);
        assert.equal(message.body, round);
        await receiver.completeMessage(message);
        assert.ok(relay.cut() > 0, "no connection went through the relay");
    }
    await hasNone(clientOf(cleanup).createReceiver(queue));
});

await runFlows();
