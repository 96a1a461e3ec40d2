// rhea, a plain AMQP 1.0 client that knows nothing of Azure: what the protocol itself promises. It logs in by SASL PLAIN with the key's name and key.
// Every flow has a hub and a queue of its own, both named like the flow.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import rhea from "rhea";
import { WebSocket } from "ws";
import { flow, partsOf, pause, runFlows, until } from "./flows.mjs";

async function connect(variable, cleanup, options = {}) {
    const { Endpoint, SharedAccessKeyName, SharedAccessKey } = partsOf(process.env[variable]);
    const { hostname, port } = new URL(Endpoint.replace("sb://", "http://"));
    const connection = rhea.create_container().connect({
        host: hostname, port: Number(port), username: SharedAccessKeyName, password: SharedAccessKey, reconnect: false, ...options,
    });
    connection.on("disconnected", () => {});
    connection.on("connection_error", () => {});
    await once(connection, "connection_open");
    cleanup(async () => { connection.close(); await once(connection, "connection_close"); });
    return connection;
}

const hubs = (cleanup, options) => connect("EVENTHUB_CONNECTION_STRING", cleanup, options);
const queues = (cleanup, options) => connect("SERVICEBUS_CONNECTION_STRING", cleanup, options);

async function senderOf(connection, address, options = {}) {
    const sender = connection.open_sender({ target: { address }, ...options });
    await once(sender, "sendable");
    return sender;
}

/** Sends and waits for the outcome. */
async function send(sender, message) {
    sender.send(message);
    await once(sender, "accepted");
}

/** The next delivery of a receiver that gives no credit by itself and settles nothing by itself. */
async function next(receiver) {
    receiver.add_credit(1);
    return (await once(receiver, "message"))[0];
}

const lockingReceiver = (connection, address) =>
    connection.open_receiver({ source: { address }, credit_window: 0, autoaccept: false, autosettle: false, rcv_settle_mode: 1 });

/** Answers a delivery and waits until the service has settled it. */
async function settle(delivery, answer) {
    answer(delivery);
    await until(() => delivery.remote_settled, "the settlement was not answered");
}

flow("A_plain_client_sends_and_reads_events", async (hub, cleanup) => {
    const connection = await hubs(cleanup);
    const sender = await senderOf(connection, `${hub}/Partitions/1`);
    for (let i = 0; i < 5; i++) await send(sender, { body: rhea.message.data_section(Buffer.from(`r${i}`)), application_properties: { i } });
    const receiver = connection.open_receiver({ source: { address: `${hub}/ConsumerGroups/$Default/Partitions/1` }, snd_settle_mode: 1, credit_window: 10 });
    const messages = [];
    receiver.on("message", ({ message }) => messages.push(message));
    await until(() => messages.length === 5, () => `${messages.length} of 5 events came`);
    assert.deepEqual(messages.map(message => message.body.content.toString()), ["r0", "r1", "r2", "r3", "r4"]);
    assert.deepEqual(messages.map(message => message.message_annotations["x-opt-sequence-number"]), [0, 1, 2, 3, 4]);
});

// Its own name of the subprotocol, and no TLS.
flow("A_message_travels_over_a_WebSocket", async (queue, cleanup) => {
    const { Endpoint } = partsOf(process.env.SERVICEBUS_CONNECTION_STRING);
    const open = rhea.create_container().websocket_connect(WebSocket);
    const connection = await queues(cleanup, {
        connection_details: open(`${Endpoint.replace("sb:", "ws:").replace(/\/$/, "")}/$servicebus/websocket`, ["amqp"], {}),
    });
    const sender = await senderOf(connection, queue);
    const body = randomBytes(200_000);
    await send(sender, { body: rhea.message.data_section(body) });
    const { message } = await next(connection.open_receiver({ source: { address: queue }, credit_window: 0, snd_settle_mode: 1 }));
    assert.deepEqual(message.body.content, body);
});

flow("Accept_release_modify_and_reject_do_what_they_say", async (queue, cleanup) => {
    const connection = await queues(cleanup);
    const sender = await senderOf(connection, queue);
    for (const body of ["accept", "release", "modify", "reject"]) await send(sender, { body, message_id: body });
    const receiver = lockingReceiver(connection, queue);
    const answers = {
        accept: delivery => delivery.update(false, rhea.message.accepted().described()),
        release: delivery => delivery.update(false, rhea.message.released().described()),
        modify: delivery => delivery.update(false, rhea.message.modified({ delivery_failed: true }).described()),
        reject: delivery => delivery.update(false, rhea.message.rejected({ error: { condition: "com.microsoft:dead-letter", description: "" } }).described()),
    };
    const first = [];
    for (let i = 0; i < 4; i++) first.push(await next(receiver));
    // One after the other, awaited: rhea joins different outcomes of one turn into the first.
    for (const { message, delivery } of first) await settle(delivery, answers[message.body]);
    const again = new Map();
    for (let i = 0; i < 2; i++) {
        const { message, delivery } = await next(receiver);
        again.set(message.body, message.delivery_count);
        await settle(delivery, answers.accept);
    }
    assert.deepEqual([...again.keys()].sort(), ["modify", "release"]);
    assert.deepEqual([again.get("modify"), again.get("release")], [1, 0]);
    const dead = lockingReceiver(connection, `${queue}/$DeadLetterQueue`);
    const { message, delivery } = await next(dead);
    assert.equal(message.body, "reject");
    await settle(delivery, answers.accept);
});

flow("A_message_that_is_released_again_and_again_is_not_dead_lettered", async (queue, cleanup) => {
    const connection = await queues(cleanup);
    await send(await senderOf(connection, queue), { body: "not yet" });
    const receiver = lockingReceiver(connection, queue);
    // More often than a queue lets a delivery fail.
    for (let i = 0; i < 15; i++) {
        const { message, delivery } = await next(receiver);
        assert.deepEqual([message.body, message.delivery_count], ["not yet", 0]);
        await settle(delivery, one => one.update(false, rhea.message.released().described()));
    }
    const { delivery } = await next(receiver);
    await settle(delivery, one => one.update(false, rhea.message.accepted().described()));
});

flow("A_message_crosses_many_small_frames_both_ways", async (hub, cleanup) => {
    const connection = await hubs(cleanup, { max_frame_size: 4096 });
    const body = randomBytes(300_000);
    await send(await senderOf(connection, `${hub}/Partitions/0`), { body: rhea.message.data_section(body) });
    const receiver = connection.open_receiver({ source: { address: `${hub}/ConsumerGroups/$Default/Partitions/0` }, snd_settle_mode: 1, credit_window: 1 });
    const [{ message }] = await once(receiver, "message");
    assert.equal(Buffer.compare(message.body.content, body), 0);
});

flow("Drain_gives_what_there_is_and_takes_the_credit_back", async (queue, cleanup) => {
    const connection = await queues(cleanup);
    const sender = await senderOf(connection, queue);
    await send(sender, { body: "only" });
    const receiver = lockingReceiver(connection, queue);
    const bodies = [];
    receiver.on("message", ({ message }) => bodies.push(message.body));
    receiver.add_credit(10);
    receiver.drain_credit();
    await once(receiver, "receiver_drained");
    assert.deepEqual([bodies, receiver.credit], [["only"], 0]);
    await send(sender, { body: "later" });
    await pause(300);
    assert.deepEqual(bodies, ["only"], "a message came without credit");
});

flow("A_link_to_nowhere_is_refused_by_attach_and_detach", async (_, cleanup) => {
    const connection = await hubs(cleanup);
    const sender = connection.open_sender({ target: { address: "no-such-hub" } });
    sender.on("sender_close", () => {});
    await once(sender, "sender_error");
    assert.equal(sender.error.condition, "amqp:not-found");
    assert.match(sender.error.description, /no-such-hub/);
    assert.ok(connection.is_open(), "the connection went with the link");
});

flow("A_silent_connection_is_kept_alive_by_heartbeats", async (hub, cleanup) => {
    // rhea gives a peer up after twice this time without a frame.
    const connection = await hubs(cleanup, { idle_time_out: 2_000 });
    await pause(6_000);
    assert.ok(connection.is_open(), "the connection was given up");
    await send(await senderOf(connection, hub), { body: "still here" });
});

flow("Idempotent_publishing_is_refused", async (hub, cleanup) => {
    const connection = await hubs(cleanup);
    const sender = connection.open_sender({
        target: { address: `${hub}/Partitions/0` }, desired_capabilities: "com.microsoft:idempotent-producer",
    });
    sender.on("sender_close", () => {});
    await once(sender, "sender_error");
    assert.match(sender.error.condition, /^(amqp|com\.microsoft):/);
    assert.match(sender.error.description, /idempotent/i);
});

flow("Transactions_are_refused", async (_, cleanup) => {
    const connection = await queues(cleanup);
    const sender = connection.open_sender({ name: "coordinator", target: {} });
    // rhea writes what has an AMQP type as it is.
    sender.local.attach.target = rhea.types.wrap_described([rhea.types.wrap_symbol("amqp:local-transactions")], 0x30);
    await once(sender, "sendable");
    const rejected = once(sender, "rejected");
    sender.send({ body: rhea.types.wrap_described([], 0x31) });
    const [{ delivery }] = await rejected;
    assert.equal(delivery.remote_state.error.condition, "amqp:not-implemented");
    assert.match(delivery.remote_state.error.description, /transaction/i);
    assert.ok(sender.is_open() && connection.is_open(), "the link or the connection went with the declaration");
});

await runFlows();
