// The frame of every script here: named flows, each with its own time limit, of which several run at once. A flow that ends prints one
// line of JSON; what it prints is a test result on the other side. `node eventhubs.mjs Name Name` runs only those flows.
import assert from "node:assert/strict";
import net from "node:net";

const flows = [];

/** Adds a flow. Its name is the name of its test; the body gets the name again, since every flow has an entity called like itself. */
export function flow(name, body, { seconds = 40 } = {}) {
    flows.push({ name, body, seconds });
}

/** Runs the flows, prints one line for each, and ends the process whatever they left open. */
export async function runFlows({ atOnce = 6 } = {}) {
    const chosen = process.argv.slice(2);
    const waiting = chosen.length === 0 ? [...flows] : flows.filter(({ name }) => chosen.includes(name));
    const worker = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await runOne(next);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    process.exit(0);
}

async function runOne({ name, body, seconds }) {
    let timer;
    const limit = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`not done after ${seconds} s`)), seconds * 1000);
    });
    const cleanups = [];
    const started = performance.now();
    let failure = null;
    try {
        await Promise.race([body(name, cleanup => cleanups.push(cleanup)), limit]);
    } catch (error) {
        failure = `${error?.name ?? "Error"}${error?.code ? ` (${error.code})` : ""}: ${error?.stack ?? error?.message ?? error}`;
    } finally {
        clearTimeout(timer);
    }
    console.log(JSON.stringify({ flow: name, failure, milliseconds: Math.round(performance.now() - started) }));
    for (const cleanup of cleanups.reverse()) {
        await Promise.race([cleanup().catch(() => {}), pause(5_000)]);
    }
}

export const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

/** Waits until a condition holds; what is missing is told by the flow's own words. */
export async function until(condition, words, seconds = 30) {
    const end = performance.now() + seconds * 1000;
    while (!(await condition())) {
        if (performance.now() > end) throw new Error(typeof words === "function" ? words() : words);
        await pause(20);
    }
}

/** The error of a call that must fail. */
export async function refusal(call) {
    try {
        await (typeof call === "function" ? call() : call);
    } catch (error) {
        return error;
    }
    return assert.fail("the call went through");
}

/** The name and value pairs of a connection string. */
export const partsOf = text => Object.fromEntries(text.split(";").filter(Boolean)
    .map(part => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));

/** A relay before a service, whose connections can be cut. Gives the connection string that leads through it. */
export async function cuttable(connectionString, cleanup) {
    const target = new URL(partsOf(connectionString).Endpoint.replace("sb://", "http://"));
    const sockets = new Set();
    const server = net.createServer(client => {
        const service = net.connect(Number(target.port), target.hostname);
        for (const socket of [client, service]) {
            sockets.add(socket);
            socket.setNoDelay(true);
            socket.on("error", () => {});
            socket.on("close", () => { sockets.delete(socket); client.destroy(); service.destroy(); });
        }
        client.pipe(service).pipe(client);
    });
    await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
    const cut = () => {
        const number = sockets.size / 2;
        for (const socket of sockets) socket.destroy();
        return number;
    };
    cleanup(async () => { cut(); server.close(); });
    return { connectionString: connectionString.replace(/Endpoint=[^;]+/, `Endpoint=sb://127.0.0.1:${server.address().port}`), cut };
}
