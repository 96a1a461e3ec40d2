// Sends 100 messages through the official Service Bus client (singly and in a batch) and receives them with peek-lock: all are
// there once; 60 are completed, 20 abandoned and completed on their second delivery, 20 dead-lettered and read back with their reason.
import { ServiceBusClient } from "@azure/service-bus";
import assert from "node:assert/strict";

const queue = process.env.SERVICEBUS_QUEUE;
const client = new ServiceBusClient(process.env.SERVICEBUS_CONNECTION_STRING, {
    retryOptions: { maxRetries: 2, retryDelayInMs: 100, timeoutInMs: 10_000 },
});
const sender = client.createSender(queue);
const messageOf = i => ({ body: { i }, messageId: `m-${i}`, contentType: "application/json", applicationProperties: { i, name: `n${i}` } });
for (let i = 0; i < 50; i++) await sender.sendMessages(messageOf(i));
const batch = await sender.createMessageBatch();
for (let i = 50; i < 100; i++) assert.ok(batch.tryAddMessage(messageOf(i)));
await sender.sendMessages(batch);

const receiver = client.createReceiver(queue, { receiveMode: "peekLock" });
const completed = new Set();
let abandoned = 0, deadLettered = 0;
const deadline = Date.now() + 60_000;
while (completed.size + deadLettered < 100) {
    assert.ok(Date.now() < deadline, `only ${completed.size} completed and ${deadLettered} dead-lettered in 60 s`);
    for (const message of await receiver.receiveMessages(10, { maxWaitTimeInMs: 2000 })) {
        const i = message.body.i;
        assert.equal(message.messageId, `m-${i}`);
        assert.equal(message.applicationProperties.name, `n${i}`);
        assert.ok(message.lockedUntilUtc > new Date());
        if (i % 5 === 0 && message.deliveryCount === 0) { await receiver.abandonMessage(message); abandoned++; }
        else if (i % 5 === 1) { await receiver.deadLetterMessage(message, { deadLetterReason: "why", deadLetterErrorDescription: `because ${i}` }); deadLettered++; }
        else {
            assert.equal(message.deliveryCount, i % 5 === 0 ? 1 : 0);
            assert.ok(!completed.has(i), `message ${i} came twice`);
            await receiver.completeMessage(message);
            completed.add(i);
        }
    }
}
assert.deepEqual([completed.size, abandoned, deadLettered], [80, 20, 20]);
assert.equal((await receiver.receiveMessages(1, { maxWaitTimeInMs: 500 })).length, 0);

const dead = client.createReceiver(queue, { subQueueType: "deadLetter" });
let read = 0;
while (read < 20) {
    const messages = await dead.receiveMessages(20 - read, { maxWaitTimeInMs: 5000 });
    assert.ok(messages.length > 0, `only ${read} dead letters`);
    for (const message of messages) {
        assert.equal(message.deadLetterReason, "why");
        assert.equal(message.deadLetterErrorDescription, `because ${message.body.i}`);
        await dead.completeMessage(message);
        read++;
    }
}
await dead.close();
await receiver.close();
await sender.close();
await client.close();
console.log(JSON.stringify({ sent: 100, completed: completed.size, abandoned, deadLettered: read }));
