// A small AMQP server on rhea for our client to talk to. It prints its port, keeps the messages sent to `box` for whoever reads from there,
// answers those sent to `judge` with the outcome that their subject names, and ends with its input.
import rhea from "rhea";

const container = rhea.create_container();
container.sasl_server_mechanisms.enable_anonymous();
container.options.sender_options = { treat_modified_as_released: false };
const box = [];

container.on("sender_open", ({ sender }) => {
    if (sender.source.address !== "box") {
        sender.close({ condition: "amqp:not-found", description: `${sender.source.address} is not here` });
        return;
    }
    sender.set_source({ address: "box" });
});
container.on("receiver_open", ({ receiver }) => {
    if (!["box", "judge"].includes(receiver.target.address)) {
        receiver.close({ condition: "amqp:not-found", description: `${receiver.target.address} is not here` });
        return;
    }
    receiver.set_target({ address: receiver.target.address });
    receiver.set_credit_window(100);
});

// A turn later: rhea writes what is sent in the turn of the attach before it answers the attach.
container.on("sendable", ({ sender }) => setImmediate(() => {
    while (sender.sendable() && box.length > 0) sender.send(box.shift());
}));
container.on("sender_draining", ({ sender }) => sender.set_drained(true));
container.on("message", ({ receiver, message, delivery }) => {
    if (receiver.target.address === "box") {
        box.push(message);
        delivery.accept();
        return;
    }
    const outcomes = {
        accept: () => delivery.accept(),
        release: () => delivery.release(),
        modify: () => delivery.modified({ delivery_failed: true, undeliverable_here: true }),
        reject: () => delivery.reject({ condition: "app:bad", description: "no good" }),
    };
    outcomes[message.subject]();
});

const server = container.listen({ host: "127.0.0.1", port: 0, idle_time_out: 1_000 });
server.on("listening", () => console.log(server.address().port));
process.stdin.on("end", () => process.exit(0)).resume();
