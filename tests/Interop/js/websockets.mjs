// Event Hubs and Service Bus through the official SDKs over WebSockets, with TLS: they speak no other. NODE_EXTRA_CA_CERTS names the certificate.
// Every flow has a hub or a queue of its own, named like the flow.
import { EventHubConsumerClient, EventHubProducerClient, earliestEventPosition } from "@azure/event-hubs";
import { ServiceBusClient } from "@azure/service-bus";
import assert from "node:assert/strict";
import { WebSocket } from "ws";
import { flow, runFlows, until } from "./flows.mjs";

const connection = process.env.EMULATOR_TLS_CONNECTION_STRING;
const retryOptions = { maxRetries: 0, timeoutInMs: 10_000 };

/** Counts what is opened: a client that fell back to a socket would pass as well. */
let opened = 0;
class CountedWebSocket extends WebSocket {
    constructor(url, ...others) {
        super(url, ...others);
        this.on("open", () => {
            assert.match(String(url), /^wss:.*\/\$servicebus\/websocket$/);
            assert.equal(this.protocol, "AMQPWSB10");
            opened++;
        });
    }
}
const options = { retryOptions, webSocketOptions: { webSocket: CountedWebSocket } };

flow("Events_are_sent_and_read", async (hub, cleanup) => {
    const before = opened;
    const producer = new EventHubProducerClient(connection, hub, options);
    const consumer = new EventHubConsumerClient("$Default", connection, hub, options);
    cleanup(() => producer.close());
    cleanup(() => consumer.close());
    const sent = Array.from({ length: 100 }, (_, i) => ({ body: `${i}:${"x".repeat(1_000 * (i % 10))}` }));
    await producer.sendBatch(sent.slice(0, 50), { partitionId: "0" });
    await producer.sendBatch(sent.slice(50), { partitionId: "0" });
    const bodies = [];
    let failure = null;
    const subscription = consumer.subscribe("0", {
        processEvents: async events => { bodies.push(...events.map(event => event.body)); },
        processError: async error => { failure ??= error; },
    }, { startPosition: earliestEventPosition, maxWaitTimeInSeconds: 1 });
    await until(() => failure || bodies.length >= sent.length, () => `${bodies.length} of ${sent.length} events arrived`, 20);
    await subscription.close();
    if (failure) throw failure;
    assert.deepEqual(bodies, sent.map(event => event.body));
    assert.ok(opened >= before + 2, `${opened - before} WebSockets were opened`);
});

flow("Messages_are_sent_received_and_completed", async (queue, cleanup) => {
    const before = opened;
    const client = new ServiceBusClient(connection, options);
    cleanup(() => client.close());
    await client.createSender(queue).sendMessages([{ body: "one" }, { body: "two" }]);
    const receiver = client.createReceiver(queue);
    const bodies = [];
    while (bodies.length < 2) {
        const messages = await receiver.receiveMessages(2 - bodies.length, { maxWaitTimeInMs: 10_000 });
        assert.ok(messages.length > 0, `${bodies.length} of 2 messages came`);
        for (const message of messages) {
            bodies.push(message.body);
            await receiver.completeMessage(message);
        }
    }
    assert.deepEqual(bodies, ["one", "two"]);
    assert.deepEqual(await receiver.receiveMessages(1, { maxWaitTimeInMs: 600 }), []);
    assert.ok(opened > before, "no WebSocket was opened");
});

await runFlows();
