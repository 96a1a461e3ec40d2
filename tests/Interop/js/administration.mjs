// Entities of Service Bus through the official SDK's administration client. It speaks TLS only; NODE_EXTRA_CA_CERTS names the certificate.
import { ServiceBusAdministrationClient, ServiceBusClient } from "@azure/service-bus";
import assert from "node:assert/strict";
import { flow, refusal, runFlows } from "./flows.mjs";

const connection = process.env.EMULATOR_TLS_ADMINISTRATION_CONNECTION_STRING;
const administration = new ServiceBusAdministrationClient(connection);

function messaging(cleanup) {
    const client = new ServiceBusClient(process.env.SERVICEBUS_CONNECTION_STRING);
    cleanup(() => client.close());
    return client;
}

async function receiveOne(receiver) {
    const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 10_000 });
    assert.ok(message, "no message came");
    return message;
}

async function namesOf(list, nameOf = entity => entity.name) {
    return (await allOf(list)).map(nameOf);
}

async function allOf(list) {
    const entities = [];
    for await (const entity of list) entities.push(entity);
    return entities;
}

flow("A_queue_is_created_as_requested_and_used_immediately", async (queue, cleanup) => {
    const asked = {
        lockDuration: "PT45S", maxDeliveryCount: 3, defaultMessageTimeToLive: "PT5H", deadLetteringOnMessageExpiration: true,
        requiresDuplicateDetection: true, duplicateDetectionHistoryTimeWindow: "PT3M", userMetadata: "some <text> & ü",
        autoDeleteOnIdle: "P3D", maxSizeInMegabytes: 2048, enableBatchedOperations: false,
    };
    const made = await administration.createQueue(queue, { ...asked, forwardDeadLetteredMessagesTo: "queue" });
    const found = await administration.getQueue(queue);
    for (const shown of [made, found]) {
        assert.equal(shown.name, queue);
        for (const [name, value] of Object.entries(asked)) assert.equal(shown[name], value, name);
        assert.match(shown.forwardDeadLetteredMessagesTo, /^sb:\/\/.*\/queue$/);
        assert.deepEqual([shown.status, shown.availabilityStatus, shown.requiresSession, shown.enablePartitioning, shown.forwardTo], ["Active", "Available", false, false, undefined]);
    }
    const client = messaging(cleanup);
    await client.createSender(queue).sendMessages([{ body: 1, messageId: "same" }, { body: 2, messageId: "same" }]);
    const message = await receiveOne(client.createReceiver(queue));
    const left = message.lockedUntilUtc - Date.now();
    assert.ok(left > 35_000 && left < 46_000, `locked for ${left} ms`);
    assert.equal((await administration.getQueueRuntimeProperties(queue)).totalMessageCount, 1);
    assert.equal((await administration.getNamespaceProperties()).messagingSku, "Standard");
    await administration.deleteQueue(queue);
    assert.equal(await administration.queueExists(queue), false);
});

flow("A_changed_queue_treats_what_it_holds_by_its_new_rules", async (queue, cleanup) => {
    const client = messaging(cleanup);
    const settings = await administration.createQueue(queue);
    assert.deepEqual([settings.maxDeliveryCount, settings.defaultMessageTimeToLive], [10, "P10675199DT2H48M5.4775807S"]);
    await client.createSender(queue).sendMessages([{ body: "first" }, { body: "second" }]);
    settings.maxDeliveryCount = 1;
    settings.userMetadata = "changed";
    assert.deepEqual([(await administration.updateQueue(settings)).maxDeliveryCount, (await administration.getQueue(queue)).userMetadata], [1, "changed"]);
    const receiver = client.createReceiver(queue);
    await receiver.abandonMessage(await receiveOne(receiver));
    const dead = client.createReceiver(queue, { subQueueType: "deadLetter" });
    assert.equal((await receiveOne(dead)).deadLetterReason, "MaxDeliveryCountExceeded");

    // What waits is forwarded, and comes to rest again when nothing is forwarded any more.
    await administration.createQueue(`${queue}-target`);
    await administration.updateQueue({ ...settings, forwardTo: `${queue}-target` });
    assert.equal((await receiveOne(client.createReceiver(`${queue}-target`))).body, "second");
    await administration.updateQueue({ ...settings, forwardTo: undefined });
    await client.createSender(queue).sendMessages({ body: "third" });
    assert.equal((await receiveOne(client.createReceiver(queue))).body, "third");
    assert.match((await refusal(administration.updateQueue({ ...settings, requiresDuplicateDetection: true }))).message, /RequiresDuplicateDetection/);
});

flow("Omitted_settings_have_the_defaults_of_the_service_and_given_ones_are_kept", async queue => {
    const made = await administration.createQueue(queue, { duplicateDetectionHistoryTimeWindow: "PT3M" });
    assert.deepEqual([made.lockDuration, made.requiresDuplicateDetection, made.duplicateDetectionHistoryTimeWindow], ["PT1M", false, "PT3M"]);
    await administration.createTopic(`${queue}-topic`);
    assert.equal((await administration.createSubscription(`${queue}-topic`, "s")).lockDuration, "PT1M");
    const authorizationRules = [
        { claimType: "SharedAccessKey", accessRights: ["Manage", "Send", "Listen"], keyName: "all", primaryKey: "cHJpbWFyeQ==", secondaryKey: "c2Vjb25k" },
        { claimType: "SharedAccessKey", accessRights: ["Listen"], keyName: "one", primaryKey: "b25l", secondaryKey: "dHdv" },
    ];
    await administration.updateQueue({ ...made, authorizationRules });
    const shown = (await administration.getQueue(queue)).authorizationRules;
    for (const [i, rule] of authorizationRules.entries()) for (const [name, value] of Object.entries(rule)) assert.deepEqual(shown[i][name], value, name);
    const error = await refusal(administration.createQueue(`${queue}-2`, { autoDeleteOnIdle: "PT1M" }));
    assert.deepEqual([error.statusCode, /AutoDeleteOnIdle/.test(error.message)], [400, true]);
});

flow("A_list_of_queues_comes_page_by_page", async queue => {
    const expected = Array.from({ length: 7 }, (_, i) => `${queue}-${i}`);
    for (const name of expected) await administration.createQueue(name);
    const pages = [];
    for await (const page of administration.listQueues().byPage({ maxPageSize: 3 })) pages.push(page.map(one => one.name));
    assert.ok(pages.length > 2 && pages.slice(0, -1).every(page => page.length === 3), JSON.stringify(pages));
    assert.deepEqual(pages.flat().filter(name => name.startsWith(`${queue}-`)), expected);
    assert.deepEqual((await namesOf(administration.listQueues())).filter(name => name.startsWith(`${queue}-`)), expected);
    assert.deepEqual((await namesOf(administration.listQueuesRuntimeProperties())).filter(name => name.startsWith(`${queue}-`)), expected);
});

flow("A_topic_and_its_subscriptions_are_made_changed_and_deleted", async topic => {
    const made = await administration.createTopic(topic, { defaultMessageTimeToLive: "PT2H", supportOrdering: true, userMetadata: "m" });
    assert.deepEqual([made.name, made.defaultMessageTimeToLive, made.userMetadata], [topic, "PT2H", "m"]);
    made.defaultMessageTimeToLive = "PT1H";
    assert.equal((await administration.updateTopic(made)).defaultMessageTimeToLive, "PT1H");
    const one = await administration.createSubscription(topic, "one", { maxDeliveryCount: 4, forwardTo: "queue" });
    assert.deepEqual([one.topicName, one.subscriptionName, one.maxDeliveryCount], [topic, "one", 4]);
    await administration.createSubscription(topic, "two");
    one.lockDuration = "PT10S";
    assert.equal((await administration.updateSubscription(one)).lockDuration, "PT10S");
    assert.deepEqual(await namesOf(administration.listSubscriptions(topic), found => found.subscriptionName), ["one", "two"]);
    assert.equal((await administration.getTopicRuntimeProperties(topic)).subscriptionCount, 2);
    assert.ok((await namesOf(administration.listTopics())).includes(topic));
    await administration.deleteSubscription(topic, "one");
    assert.equal(await administration.subscriptionExists(topic, "one"), false);
    await administration.deleteTopic(topic);
    assert.equal(await administration.topicExists(topic), false);
});

flow("A_rule_is_made_changed_and_deleted", async (topic, cleanup) => {
    const properties = { text: "t", half: 1.5, yes: true, when: new Date(1_700_000_000_000) };
    await administration.createTopic(topic);
    await administration.createSubscription(topic, "s", { defaultRuleOptions: { name: "red", filter: { subject: "red", applicationProperties: properties } } });
    const [red] = await allOf(administration.listRules(topic, "s"));
    assert.deepEqual([red.name, red.filter.subject, red.filter.applicationProperties], ["red", "red", properties]);
    await administration.createRule(topic, "s", "none", { sqlExpression: "1=0" });
    assert.equal((await administration.getRule(topic, "s", "none")).filter.sqlExpression, "1=0");
    const sized = { sqlExpression: "size > @least AND sent < @end", sqlParameters: { "@least": 3, "@end": new Date(1_700_000_000_000) } };
    await administration.createRule(topic, "s", "sized", sized);
    assert.deepEqual((await administration.getRule(topic, "s", "sized")).filter, sized);
    await administration.deleteRule(topic, "s", "sized");
    const client = messaging(cleanup);
    const sender = client.createSender(topic);
    await sender.sendMessages([{ body: "blue", subject: "blue" }, { body: "red", subject: "red", applicationProperties: properties }]);
    await administration.updateRule(topic, "s", { ...red, filter: { subject: "blue" } });
    await sender.sendMessages([{ body: "red", subject: "red", applicationProperties: properties }, { body: "blue", subject: "blue" }]);
    const receiver = client.createReceiver(topic, "s", { receiveMode: "receiveAndDelete" });
    assert.deepEqual([(await receiveOne(receiver)).body, (await receiveOne(receiver)).body], ["red", "blue"]);
    await administration.deleteRule(topic, "s", "red");
    assert.deepEqual(await namesOf(administration.listRules(topic, "s")), ["none"]);
});

flow("Contents_of_a_queue_and_a_subscription_are_counted", async (queue, cleanup) => {
    const client = messaging(cleanup);
    await administration.createQueue(queue);
    const before = await administration.getQueueRuntimeProperties(queue);
    const sender = client.createSender(queue);
    await sender.sendMessages([1, 2, 3].map(body => ({ body })));
    await sender.scheduleMessages({ body: 4 }, new Date(Date.now() + 3_600_000));
    const receiver = client.createReceiver(queue);
    await receiver.deadLetterMessage(await receiveOne(receiver));
    const counts = await administration.getQueueRuntimeProperties(queue);
    assert.deepEqual([counts.activeMessageCount, counts.deadLetterMessageCount, counts.scheduledMessageCount, counts.totalMessageCount], [2, 1, 1, 4]);
    assert.ok(counts.sizeInBytes > 0 && before.sizeInBytes === 0);
    assert.ok(counts.createdAt <= counts.modifiedAt && counts.modifiedAt <= counts.accessedAt && before.accessedAt < before.createdAt);
    await administration.createTopic(`${queue}-topic`);
    await administration.createSubscription(`${queue}-topic`, "s");
    await client.createSender(`${queue}-topic`).sendMessages([{ body: 1 }, { body: 2 }]);
    const subscription = await administration.getSubscriptionRuntimeProperties(`${queue}-topic`, "s");
    assert.deepEqual([subscription.activeMessageCount, subscription.totalMessageCount], [2, 2]);
});

flow("A_missing_existing_unknown_or_forbidden_entity_is_reported_by_its_code", async queue => {
    for (const call of [() => administration.getQueue("nowhere"), () => administration.deleteTopic("nowhere"), () => administration.getSubscription("nowhere", "s"), () => administration.updateQueue({ name: "nowhere" })])
        assert.equal((await refusal(call)).code, "MessageEntityNotFoundError");
    await administration.createQueue(queue);
    assert.equal((await refusal(administration.createQueue(queue))).code, "MessageEntityAlreadyExistsError");
    assert.equal((await refusal(administration.createTopic(queue))).code, "MessageEntityAlreadyExistsError");
    for (const [options, words] of [[{ requiresSession: true }, /RequiresSession/], [{ enablePartitioning: true }, /EnablePartitioning/], [{ status: "Disabled" }, /Status/], [{ lockDuration: "PT6M" }, /lockDuration/], [{ forwardTo: "nowhere" }, /forwardTo/]]) {
        const error = await refusal(administration.createQueue(`${queue}-2`, options));
        assert.equal(error.statusCode, 400);
        assert.match(error.message, words);
    }
    const stranger = new ServiceBusAdministrationClient(connection.replace(/SharedAccessKey=[^;]+/, `SharedAccessKey=${Buffer.alloc(32, 1).toString("base64")}`));
    assert.equal((await refusal(stranger.getQueue(queue))).code, "UnauthorizedRequestError");
});

await runFlows();
