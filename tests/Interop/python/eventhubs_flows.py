"""Event Hubs through the official SDK. Every flow has a hub of its own with four partitions, named like the flow."""
import base64
import hashlib
import hmac
import os
import threading
import time
import uuid
from datetime import datetime, timezone
from urllib.parse import quote_plus

import azure.eventhub
from azure.core.credentials import AzureSasCredential
from azure.eventhub import EventData, EventHubConsumerClient, EventHubProducerClient, TransportType, aio, exceptions
from azure.eventhub.amqp import AmqpAnnotatedMessage, AmqpMessageHeader, AmqpMessageProperties
from flows import connection_of, equal, flow, parts_of, refusal, run_flows, until, websocket_of

CONNECTION, TLS = connection_of(azure.eventhub.__version__, (5, 12), "EVENTHUB_CONNECTION_STRING")
LIMIT = 1_048_576
PATIENT = {"retry_total": 3, "retry_backoff_factor": 0.1, "auth_timeout": 20, **TLS}
ONCE = {**PATIENT, "retry_total": 0}


def producer_of(hub, opened, connection=CONNECTION, **options):
    return opened.enter_context(EventHubProducerClient.from_connection_string(connection, eventhub_name=hub, **{**PATIENT, **options}))


def consumer_of(hub, opened, group="$Default", connection=CONNECTION, **options):
    return opened.enter_context(EventHubConsumerClient.from_connection_string(connection, group, eventhub_name=hub, **{**PATIENT, **options}))


class Reading:
    """Reads a partition on a thread of its own, until its consumer is closed."""

    def __init__(self, consumer, partition, starting_position="-1", **options):
        self.events, self.batches, self.error, self.context = [], 0, None, None
        arguments = {"partition_id": partition, "starting_position": starting_position, "max_wait_time": 1, "max_batch_size": 50, **options}
        self._thread = threading.Thread(
            target=consumer.receive_batch, args=(self._take,), kwargs={**arguments, "on_error": self._fail}, daemon=True)
        self._thread.start()

    def _take(self, context, events):
        self.events.extend(events)
        self.batches += 1
        self.context = context

    def _fail(self, _, error):
        self.error = self.error or error

    def has(self, count):
        until(lambda: self.error or len(self.events) >= count, lambda: f"{len(self.events)} of {count} events arrived", 20)
        if self.error:
            raise self.error
        equal(len(self.events), count)
        return self.events

    def fails(self):
        until(lambda: self.error, "the reader was not refused")
        return self.error


def read(hub, opened, partition, count, starting_position="-1", group="$Default", **options):
    consumer = consumer_of(hub, opened, group)
    events = Reading(consumer, partition, starting_position, **options).has(count)
    consumer.close()
    return events


def read_partitions(hub, opened, counts):
    """Reads all partitions at once: this many events of each."""
    readings = [Reading(consumer_of(hub, opened), str(partition)) for partition in range(len(counts))]
    return [reading.has(count) for reading, count in zip(readings, counts)]


def bodies(count, name="e"):
    return [EventData(f"{name}{i}") for i in range(count)]


def bytes_of(event):
    return b"".join(event.body)


def texts(events):
    return [bytes_of(event).decode() for event in events]


def plain(value):
    """Names and texts come as bytes from the SDK."""
    return {key.decode(): text.decode() if isinstance(text, bytes) else text for key, text in value.items()}


# Sending

@flow
def a_single_event_arrives_with_its_body(hub, opened):
    producer_of(hub, opened).send_batch([EventData("grüß dich")], partition_id="0")
    event, = read(hub, opened, "0", 1)
    equal((event.body_as_str(), event.sequence_number), ("grüß dich", 0))
    assert abs((datetime.now(timezone.utc) - event.enqueued_time).total_seconds()) < 60


@flow
def events_travel_over_a_WebSocket(hub, opened):
    connection, over = websocket_of(TransportType.AmqpOverWebsocket)
    sent = [EventData(bytes([i]) * (1_000 * i)) for i in range(40)]
    producer_of(hub, opened, connection, **over).send_batch(sent, partition_id="0")
    events = Reading(consumer_of(hub, opened, connection=connection, **over), "0").has(len(sent))
    equal([bytes_of(event) for event in events], [bytes_of(event) for event in sent])


@flow
def a_batch_arrives_whole_and_in_order(hub, opened):
    producer = producer_of(hub, opened)
    batch = producer.create_batch(partition_id="1")
    for event in bodies(200):
        batch.add(event)
    producer.send_batch(batch)
    events = read(hub, opened, "1", 200)
    equal(texts(events), [f"e{i}" for i in range(200)])
    equal([event.sequence_number for event in events], list(range(200)))
    equal(len({event.offset for event in events}), 200)


@flow
async def an_asynchronous_client_sends_and_reads(hub, _):
    async with aio.EventHubProducerClient.from_connection_string(CONNECTION, eventhub_name=hub, **PATIENT) as producer:
        await producer.send_batch(bodies(5), partition_id="0")
    # Closing waits for the end of an interval.
    consumer = aio.EventHubConsumerClient.from_connection_string(
        CONNECTION, "$Default", eventhub_name=hub, load_balancing_interval=1, **PATIENT)
    received = []

    async def take(_, events):
        received.extend(events)
        if len(received) == 5:
            await consumer.close()

    await consumer.receive_batch(take, partition_id="0", starting_position="-1", max_wait_time=1)
    equal(texts(received), ["e0", "e1", "e2", "e3", "e4"])


@flow
def a_partition_id_is_obeyed(hub, opened):
    producer = producer_of(hub, opened)
    for partition in ("1", "2"):
        producer.send_batch(bodies(int(partition)), partition_id=partition)
    equal([producer.get_partition_properties(partition)["last_enqueued_sequence_number"] for partition in "0123"], [-1, 0, 1, -1])


@flow
def a_partition_key_leads_to_the_partition_that_the_service_chooses(hub, opened):
    producer = producer_of(hub, opened)
    expected = {"a": "0", "key-A": "0", "key-B": "1", "alphabet": "2", "TeamMLB": "1", "order-42": "3", "ünïcödé": "3"}
    for key in expected:
        for _ in range(3):
            producer.send_batch([EventData(key)], partition_key=key)
    keys = [[key for key in expected if expected[key] == partition] for partition in "0123"]
    for keys_here, events in zip(keys, read_partitions(hub, opened, [3 * len(keys_here) for keys_here in keys])):
        equal([event.partition_key.decode() for event in events], texts(events))
        equal(set(texts(events)), set(keys_here))


@flow
def the_buffered_producer_sends_everything_it_was_given(hub, opened):
    sent, failures = [], []
    # Nothing is sent before the producer is closed: up to 5.11.6 the SDK may lose an event that it is given while it sends.
    producer = producer_of(
        hub, opened, buffered_mode=True, max_wait_time=60,
        on_success=lambda events, _: sent.extend(events), on_error=lambda events, _, error: failures.append(error))
    for i in range(200):
        producer.send_event(EventData(str(i)), partition_id=str(i % 4))
    producer.close(flush=True)
    equal((failures, len(sent)), ([], 200))
    for partition, events in enumerate(read_partitions(hub, opened, [50] * 4)):
        equal(texts(events), [str(i) for i in range(partition, 200, 4)])


@flow
def properties_of_every_type_come_back(hub, opened):
    properties = {
        "zero": 0, "positive": 42, "negative": -7, "most": 2_147_483_647, "half": 1.5, "yes": True, "no": False,
        "text": "päyload", "empty": "", "nothing": None, "id": uuid.UUID(int=7),
    }
    event = EventData("x")
    event.properties = properties
    event.content_type, event.message_id, event.correlation_id = "text/plain", "m-1", "c-1"
    producer_of(hub, opened).send_batch([event], partition_id="0")
    got, = read(hub, opened, "0", 1)
    equal(plain(got.properties), properties)
    equal((got.content_type, got.message_id, got.correlation_id), ("text/plain", "m-1", "c-1"))


@flow
def an_annotated_message_keeps_every_section(hub, opened):
    message = AmqpAnnotatedMessage(
        value_body={"n": 1, "text": "two"},
        header=AmqpMessageHeader(durable=True, priority=7, time_to_live=60_000),
        footer={"x-foot": "print"}, delivery_annotations={"x-delivery": 1}, annotations={"x-mine": "kept"}, application_properties={"a": 1},
        properties=AmqpMessageProperties(message_id="m", subject="s", reply_to="r", to="t", content_type="c/t", group_id="g"))
    producer_of(hub, opened).send_batch([message], partition_id="0")
    raw = read(hub, opened, "0", 1)[0].raw_amqp_message
    equal(plain(raw.body), {"n": 1, "text": "two"})
    equal((raw.header.priority, plain(raw.footer), plain(raw.application_properties)), (7, {"x-foot": "print"}, {"a": 1}))
    equal(plain(raw.annotations)["x-mine"], "kept")
    found = raw.properties
    equal([found.message_id, found.subject, found.reply_to, found.to, found.content_type, found.group_id], [b"m", b"s", b"r", b"t", b"c/t", b"g"])


@flow
def bodies_from_nothing_to_just_below_the_limit_arrive_unchanged(hub, opened):
    producer = producer_of(hub, opened)
    sent = [os.urandom(size) for size in (0, 1, 255, 256, 65_535, 65_536, 200_000, 1_048_000)]
    for body in sent:
        producer.send_batch([EventData(body)], partition_id="0")
    events = read(hub, opened, "0", len(sent))
    equal([bytes_of(event) == body for event, body in zip(events, sent)], [True] * len(sent))


@flow
def a_batch_takes_events_up_to_the_limit_and_is_accepted_then(hub, opened):
    producer = producer_of(hub, opened)
    batch = producer.create_batch(partition_id="0")
    equal(batch.max_size_in_bytes, LIMIT)
    event = EventData(bytes(10_000))
    refused = None
    while refused is None:
        try:
            batch.add(event)
        except ValueError as error:
            refused = error
    assert 1_030_000 < batch.size_in_bytes <= LIMIT, batch.size_in_bytes
    producer.send_batch(batch)
    equal(producer.get_partition_properties("0")["last_enqueued_sequence_number"], len(batch) - 1)
    assert isinstance(refusal(producer.create_batch, max_size_in_bytes=2 * LIMIT), ValueError)


@flow
def an_event_beyond_the_limit_is_refused(hub, opened):
    producer = producer_of(hub, opened)
    error = refusal(producer.send_batch, [EventData(bytes(LIMIT + 1))], partition_id="0")
    assert isinstance(error, (ValueError, exceptions.EventDataSendError)), repr(error)
    producer.send_batch(bodies(1), partition_id="0")
    equal(producer.get_partition_properties("0")["last_enqueued_sequence_number"], 0)


# Reading

@flow
def a_reader_starts_at_the_earliest_event(hub, opened):
    producer_of(hub, opened).send_batch(bodies(5), partition_id="0")
    equal(texts(read(hub, opened, "0", 5)), ["e0", "e1", "e2", "e3", "e4"])


@flow
def a_reader_at_the_latest_position_gets_only_new_events(hub, opened):
    producer = producer_of(hub, opened)
    producer.send_batch(bodies(5, "old"), partition_id="0")
    reading = Reading(consumer_of(hub, opened), "0", "@latest")
    sent = []

    # Nothing says when the link is open: what arrives first is what was sent first after that.
    def arrived():
        sent.append(f"new{len(sent)}")
        producer.send_batch([EventData(sent[-1])], partition_id="0")
        return reading.error or len(reading.events) >= 2

    until(arrived, "no new event arrived", 20)
    equal(reading.error, None)
    received = texts(reading.events)
    first = sent.index(received[0])
    equal(received, sent[first:first + len(received)])


@flow
def a_reader_starts_after_or_at_an_offset(hub, opened):
    producer_of(hub, opened).send_batch(bodies(5), partition_id="0")
    offset = read(hub, opened, "0", 5)[2].offset
    equal(texts(read(hub, opened, "0", 2, offset)), ["e3", "e4"])
    equal(texts(read(hub, opened, "0", 3, offset, starting_position_inclusive=True)), ["e2", "e3", "e4"])


@flow
def a_reader_starts_after_or_at_a_sequence_number(hub, opened):
    producer_of(hub, opened).send_batch(bodies(5), partition_id="0")
    equal(texts(read(hub, opened, "0", 1, 3)), ["e4"])
    equal(texts(read(hub, opened, "0", 2, 3, starting_position_inclusive=True)), ["e3", "e4"])


@flow
def a_reader_starts_after_an_enqueued_time(hub, opened):
    producer = producer_of(hub, opened)
    producer.send_batch(bodies(3, "before"), partition_id="0")
    enqueued = producer.get_partition_properties("0")["last_enqueued_time_utc"]
    until(lambda: time.time() > enqueued.timestamp() + 0.02, "the clock stands still")
    producer.send_batch(bodies(2, "after"), partition_id="0")
    equal(texts(read(hub, opened, "0", 2, enqueued)), ["after0", "after1"])


@flow
def an_empty_partition_hands_an_empty_batch_after_the_waiting_time(hub, opened):
    reading = Reading(consumer_of(hub, opened), "0")
    until(lambda: reading.batches >= 2, "no empty batch came")
    equal((reading.events, reading.error), ([], None))


@flow
def the_last_enqueued_event_is_reported_with_every_delivery(hub, opened):
    producer = producer_of(hub, opened)
    producer.send_batch(bodies(9), partition_id="0")
    reading = Reading(consumer_of(hub, opened), "0", track_last_enqueued_event_properties=True)
    reading.has(9)
    last, properties = reading.context.last_enqueued_event_properties, producer.get_partition_properties("0")
    equal(last["sequence_number"], 8)
    equal(last["offset"], properties["last_enqueued_offset"])
    equal(last["enqueued_time"], properties["last_enqueued_time_utc"])


@flow
def consumer_groups_read_independently(hub, opened):
    producer_of(hub, opened).send_batch(bodies(10), partition_id="2")
    first, second = [read(hub, opened, "2", 10, group=group) for group in ("$Default", "second")]
    equal(texts(first), texts(second))


@flow
def a_higher_owner_level_evicts_a_lower_one(hub, opened):
    producer = producer_of(hub, opened)
    producer.send_batch(bodies(1), partition_id="0")
    low = Reading(consumer_of(hub, opened, **ONCE), "0", owner_level=1)
    low.has(1)
    high = Reading(consumer_of(hub, opened), "0", owner_level=2)
    assert isinstance(low.fails(), exceptions.ConnectionLostError) and "epoch of '2'" in str(low.error), repr(low.error)
    producer.send_batch(bodies(3), partition_id="0")
    high.has(4)
    equal(len(low.events), 1)


@flow
def a_lower_owner_level_and_none_are_refused(hub, opened):
    producer_of(hub, opened).send_batch(bodies(1), partition_id="0")
    high = Reading(consumer_of(hub, opened), "0", owner_level=5)
    high.has(1)
    for options in ({"owner_level": 4}, {}):
        low = Reading(consumer_of(hub, opened, **ONCE), "0", **options)
        assert isinstance(low.fails(), exceptions.ConnectionLostError) and "higher epoch" in str(low.error), repr(low.error)
    equal(high.error, None)


# Management and errors

@flow
def hub_properties_name_the_hub_and_its_partitions(hub, opened):
    properties = producer_of(hub, opened).get_eventhub_properties()
    equal((properties["eventhub_name"], properties["partition_ids"]), (hub, ["0", "1", "2", "3"]))
    assert abs((datetime.now(timezone.utc) - properties["created_at"]).total_seconds()) < 600


@flow
def partition_properties_follow_the_partition(hub, opened):
    producer = producer_of(hub, opened)
    empty = producer.get_partition_properties("3")
    equal((empty["eventhub_name"], empty["id"], empty["is_empty"], empty["last_enqueued_sequence_number"]), (hub, "3", True, -1))
    producer.send_batch(bodies(7), partition_id="3")
    filled = producer.get_partition_properties("3")
    equal((filled["is_empty"], filled["beginning_sequence_number"], filled["last_enqueued_sequence_number"]), (False, 0, 6))
    last = read(hub, opened, "3", 7)[-1]
    equal((filled["last_enqueued_offset"], filled["last_enqueued_time_utc"]), (last.offset, last.enqueued_time))


@flow
def an_unknown_hub_is_reported_by_its_error(hub, opened):
    producer = producer_of("no-such-hub", opened, **ONCE)
    for error in (refusal(producer.send_batch, bodies(1)), refusal(producer.get_eventhub_properties)):
        assert isinstance(error, exceptions.EventHubError) and "no-such-hub" in str(error), repr(error)


@flow
def an_unknown_partition_is_reported_by_its_error(hub, opened):
    producer = producer_of(hub, opened, **ONCE)
    error = refusal(producer.get_partition_properties, "99")
    assert isinstance(error, exceptions.EventHubError) and "The specified partition is invalid" in str(error), repr(error)
    # The consumer asks which partitions there are, and refuses by itself.
    assert "99" in str(Reading(consumer_of(hub, opened, **ONCE), "99").fails())


@flow
def a_wrong_key_is_unauthorised(hub, opened):
    wrong = CONNECTION.replace(parts_of(CONNECTION)["SharedAccessKey"], base64.b64encode(bytes(32)).decode())
    producer = producer_of(hub, opened, wrong, **ONCE)
    for error in (refusal(producer.send_batch, bodies(1)), refusal(producer.get_eventhub_properties)):
        assert isinstance(error, exceptions.AuthenticationError), repr(error)


def with_token(hub, seconds_to_live):
    """A connection string that carries a token of its own instead of the key."""
    parts = parts_of(CONNECTION)
    audience, expiry = quote_plus(f"{parts['Endpoint'].rstrip('/')}/{hub}"), int(time.time()) + seconds_to_live
    digest = hmac.new(parts["SharedAccessKey"].encode(), f"{audience}\n{expiry}".encode(), hashlib.sha256).digest()
    token = f"SharedAccessSignature sr={audience}&sig={quote_plus(base64.b64encode(digest))}&se={expiry}&skn={parts['SharedAccessKeyName']}"
    return f"Endpoint={parts['Endpoint']};SharedAccessSignature={token};UseDevelopmentEmulator=true"


@flow
def a_token_of_the_hub_is_enough(hub, opened):
    producer = producer_of(hub, opened, with_token(hub, 300), **ONCE)
    producer.send_batch(bodies(1), partition_id="0")
    equal(producer.get_partition_properties("0")["last_enqueued_sequence_number"], 0)


@flow
def an_expired_token_and_that_of_another_hub_are_unauthorised(hub, opened):
    for connection in (with_token(hub, -60), with_token("another", 300)):
        error = refusal(producer_of(hub, opened, connection, **ONCE).send_batch, bodies(1))
        assert isinstance(error, exceptions.AuthenticationError), repr(error)


run_flows()
