"""Service Bus through the official SDK. Every flow has a queue of its own, or a topic with the subscriptions one and two, named like it."""
import base64
import re
from datetime import datetime, timedelta, timezone

import azure.servicebus
from azure.servicebus import (
    AutoLockRenewer, ServiceBusClient, ServiceBusMessage, ServiceBusMessageState, ServiceBusReceiveMode, ServiceBusSubQueue, TransportType, aio, exceptions)
from flows import connection_of, equal, flow, parts_of, refusal, run_flows, until, websocket_of

CONNECTION, TLS = connection_of(azure.servicebus.__version__, (7, 14), "SERVICEBUS_CONNECTION_STRING")
LIMIT = 262_144
BRIEFLY = 0.6


def client_of(opened, connection=CONNECTION, retries=2, **options):
    return opened.enter_context(ServiceBusClient.from_connection_string(connection, retry_total=retries, retry_backoff_factor=0.1, **{**TLS, **options}))


def ends_of(queue, opened, **options):
    """A sender and a receiver of one queue."""
    client = client_of(opened)
    return opened.enter_context(client.get_queue_sender(queue)), opened.enter_context(client.get_queue_receiver(queue, **options))


def dead_letters_of(queue, opened):
    return opened.enter_context(client_of(opened).get_queue_receiver(queue, sub_queue=ServiceBusSubQueue.DEAD_LETTER))


def receive(receiver, count=1):
    messages = []
    while len(messages) < count:
        more = receiver.receive_messages(count - len(messages), max_wait_time=10)
        assert more, f"{len(messages)} of {count} messages came"
        messages += more
    return messages


def receive_one(receiver):
    return receive(receiver)[0]


def has_none(receiver):
    equal(texts(receiver.receive_messages(1, max_wait_time=BRIEFLY)), [])


def complete_all(receiver, messages):
    for message in messages:
        receiver.complete_message(message)


def texts(messages):
    return [str(message) for message in messages]


def plain(value):
    """Names and texts come as bytes from the SDK."""
    return {key.decode(): text.decode() if isinstance(text, bytes) else text for key, text in value.items()}


def now():
    return datetime.now(timezone.utc)


def wait_past(moment):
    until(lambda: now() > moment + timedelta(milliseconds=300), "the clock stands still")


# Sending and receiving

@flow
def messages_travel_over_a_WebSocket(queue, opened):
    connection, over = websocket_of(TransportType.AmqpOverWebsocket)
    client = client_of(opened, connection, **over)
    sender, receiver = opened.enter_context(client.get_queue_sender(queue)), opened.enter_context(client.get_queue_receiver(queue))
    sender.send_messages([ServiceBusMessage("one"), ServiceBusMessage("x" * 100_000)])
    messages = receive(receiver, 2)
    equal(texts(messages), ["one", "x" * 100_000])
    complete_all(receiver, messages)
    has_none(receiver)


@flow
def a_message_arrives_with_all_its_properties_and_is_completed(queue, opened):
    sender, receiver = ends_of(queue, opened)
    properties = {"n": 42, "negative": -7, "half": 1.5, "yes": True, "text": "ü"}
    fields = {
        "message_id": "m-1", "correlation_id": "c-1", "content_type": "text/plain", "subject": "s", "to": "t", "reply_to": "r",
        "partition_key": "p", "time_to_live": timedelta(hours=1),
    }
    sender.send_messages(ServiceBusMessage("päyload", application_properties=properties, **fields))
    message = receive_one(receiver)
    equal({name: getattr(message, name) for name in fields}, fields)
    equal((str(message), plain(message.application_properties), message.delivery_count), ("päyload", properties, 0))
    assert message.locked_until_utc > now() and message.lock_token and message.sequence_number > 0
    assert abs((now() - message.enqueued_time_utc).total_seconds()) < 60
    receiver.complete_message(message)
    has_none(receiver)


@flow
def a_batch_arrives_whole_and_in_order(queue, opened):
    sender, receiver = ends_of(queue, opened)
    batch = sender.create_message_batch()
    equal(batch.max_size_in_bytes, LIMIT)
    for i in range(100):
        batch.add_message(ServiceBusMessage(str(i)))
    sender.send_messages(batch)
    sender.send_messages([ServiceBusMessage(str(100 + i)) for i in range(50)])
    messages = receive(receiver, 150)
    equal(texts(messages), [str(i) for i in range(150)])
    complete_all(receiver, messages)
    has_none(receiver)


@flow
async def an_asynchronous_client_sends_and_receives(queue, _):
    async with aio.ServiceBusClient.from_connection_string(CONNECTION, **TLS) as client:
        async with client.get_queue_sender(queue) as sender, client.get_queue_receiver(queue) as receiver:
            await sender.send_messages([ServiceBusMessage(str(i)) for i in range(3)])
            received = []
            while len(received) < 3:
                more = await receiver.receive_messages(3, max_wait_time=10)
                assert more, f"{len(received)} of 3 messages came"
                for message in more:
                    await receiver.complete_message(message)
                received += texts(more)
            equal(received, ["0", "1", "2"])


@flow
def a_message_beyond_the_limit_is_refused_as_too_large(queue, opened):
    sender, _ = ends_of(queue, opened)
    too_large = ServiceBusMessage(bytes(LIMIT + 1))
    for error in (refusal(sender.send_messages, too_large), refusal(sender.create_message_batch().add_message, too_large)):
        assert isinstance(error, exceptions.MessageSizeExceededError), repr(error)


@flow
def receive_and_delete_leaves_no_messages(queue, opened):
    sender, receiver = ends_of(queue, opened, receive_mode=ServiceBusReceiveMode.RECEIVE_AND_DELETE)
    sender.send_messages([ServiceBusMessage("1"), ServiceBusMessage("2")])
    equal(texts(receive(receiver, 2)), ["1", "2"])
    has_none(receiver)
    equal(receiver.peek_messages(1), [])


# Settling

@flow
def an_abandoned_message_comes_again_with_a_higher_delivery_count(queue, opened):
    sender, receiver = ends_of(queue, opened)
    sender.send_messages(ServiceBusMessage("a"))
    receiver.abandon_message(receive_one(receiver))
    message = receive_one(receiver)
    equal(message.delivery_count, 1)
    receiver.complete_message(message)
    has_none(receiver)


@flow
def a_message_that_fails_too_often_becomes_a_dead_letter(queue, opened):
    sender, receiver = ends_of(queue, opened)
    sender.send_messages(ServiceBusMessage("poison"))
    for _ in range(3):
        receiver.abandon_message(receive_one(receiver))
    dead = dead_letters_of(queue, opened)
    message = receive_one(dead)
    equal((str(message), message.dead_letter_reason), ("poison", "MaxDeliveryCountExceeded"))
    dead.complete_message(message)
    has_none(receiver)


@flow
def a_deferred_message_is_received_by_its_number(queue, opened):
    sender, receiver = ends_of(queue, opened)
    sender.send_messages([ServiceBusMessage("later"), ServiceBusMessage("now")])
    later, immediate = receive(receiver, 2)
    receiver.defer_message(later)
    receiver.complete_message(immediate)
    has_none(receiver)
    message, = receiver.receive_deferred_messages(later.sequence_number)
    equal((str(message), message.state, message.delivery_count), ("later", ServiceBusMessageState.DEFERRED, 1))
    receiver.complete_message(message)
    error = refusal(receiver.receive_deferred_messages, later.sequence_number)
    assert isinstance(error, exceptions.MessageNotFoundError), repr(error)


@flow
def a_dead_letter_has_its_reason(queue, opened):
    sender, receiver = ends_of(queue, opened)
    sender.send_messages(ServiceBusMessage("bad"))
    receiver.dead_letter_message(receive_one(receiver), reason="why", error_description="because")
    dead = dead_letters_of(queue, opened)
    message = receive_one(dead)
    equal((str(message), message.dead_letter_reason, message.dead_letter_error_description), ("bad", "why", "because"))
    dead.complete_message(message)
    has_none(dead)
    has_none(receiver)


# Locks

@flow
def a_renewed_lock_lasts_longer(queue, opened):
    sender, receiver = ends_of(queue, opened)
    sender.send_messages(ServiceBusMessage("a"))
    message = receive_one(receiver)
    locked_until = message.locked_until_utc
    wait_past(locked_until - timedelta(seconds=3))
    assert receiver.renew_message_lock(message) > locked_until
    wait_past(locked_until)
    receiver.complete_message(message)
    has_none(receiver)


@flow
def an_expired_lock_is_lost_and_the_message_comes_again(queue, opened):
    sender, receiver = ends_of(queue, opened)
    sender.send_messages(ServiceBusMessage("a"))
    message = receive_one(receiver)
    wait_past(message.locked_until_utc)
    for call in (receiver.complete_message, receiver.renew_message_lock):
        error = refusal(call, message)
        assert isinstance(error, exceptions.ServiceBusError) and "lock" in str(error), repr(error)
    again = receive_one(receiver)
    equal((str(again), again.delivery_count), ("a", 1))
    receiver.complete_message(again)


@flow
def an_automatic_renewer_keeps_the_lock_of_a_slow_message(queue, opened):
    sender, receiver = ends_of(queue, opened)
    renewer = opened.enter_context(AutoLockRenewer(max_lock_renewal_duration=60))
    sender.send_messages(ServiceBusMessage("slow"))
    message = receive_one(receiver)
    locked_until = message.locked_until_utc
    renewer.register(receiver, message)
    wait_past(locked_until)
    receiver.complete_message(message)
    has_none(receiver)


# Peek, schedule, time to live, duplicates, forwarding

@flow
def peek_shows_messages_without_locking_them(queue, opened):
    sender, receiver = ends_of(queue, opened)
    sender.send_messages([ServiceBusMessage(str(i)) for i in range(5)])
    first = receiver.peek_messages(3)
    equal(texts(first), ["0", "1", "2"])
    equal(texts(receiver.peek_messages(10, sequence_number=first[-1].sequence_number + 1)), ["3", "4"])
    messages = receive(receiver, 5)
    equal([message.delivery_count for message in messages], [0] * 5)
    equal(texts(receiver.peek_messages(2, sequence_number=messages[3].sequence_number)), ["3", "4"])


@flow
def a_scheduled_message_comes_at_its_time(queue, opened):
    sender, receiver = ends_of(queue, opened)
    when = now() + timedelta(seconds=5)
    number, = sender.schedule_messages(ServiceBusMessage("by operation"), when)
    assert number > 0
    sender.send_messages(ServiceBusMessage("by property", scheduled_enqueue_time_utc=when))
    equal(receiver.peek_messages(1)[0].state, ServiceBusMessageState.SCHEDULED)
    messages = receive(receiver, 2)
    assert now() >= when - timedelta(milliseconds=50), "it came before its time"
    equal(sorted(texts(messages)), ["by operation", "by property"])
    equal([message.state for message in messages], [ServiceBusMessageState.SCHEDULED] * 2)
    complete_all(receiver, messages)


@flow
def a_cancelled_message_never_comes(queue, opened):
    sender, receiver = ends_of(queue, opened)
    first, second = sender.schedule_messages([ServiceBusMessage("cancelled"), ServiceBusMessage("kept")], now() + timedelta(seconds=5))
    sender.cancel_scheduled_messages(first)
    message = receive_one(receiver)
    equal(str(message), "kept")
    receiver.complete_message(message)
    has_none(receiver)
    error = refusal(sender.cancel_scheduled_messages, second)
    assert isinstance(error, exceptions.MessageNotFoundError), repr(error)


@flow
def a_message_whose_time_is_over_goes_away(queue, opened):
    sender, receiver = ends_of(queue, opened)
    sender.send_messages([ServiceBusMessage("short", time_to_live=timedelta(seconds=0.5)), ServiceBusMessage("long", time_to_live=timedelta(minutes=1))])
    wait_past(now() + timedelta(seconds=0.5))
    messages = receive(receiver)
    equal(texts(messages), ["long"])
    complete_all(receiver, messages)
    has_none(dead_letters_of(queue, opened))


@flow
def a_queue_may_keep_messages_whose_time_is_over_as_dead_letters(queue, opened):
    sender, _ = ends_of(queue, opened)
    sender.send_messages(ServiceBusMessage("short", time_to_live=timedelta(seconds=0.3)))
    dead = dead_letters_of(queue, opened)
    message = receive_one(dead)
    equal((str(message), message.dead_letter_reason), ("short", "TTLExpiredException"))
    dead.complete_message(message)


@flow
def a_second_message_of_the_same_id_is_dropped(queue, opened):
    sender, receiver = ends_of(queue, opened)
    for name in "abaa":
        sender.send_messages(ServiceBusMessage(name, message_id=name))
    messages = receive(receiver, 2)
    equal(texts(messages), ["a", "b"])
    complete_all(receiver, messages)
    has_none(receiver)


@flow
def a_queue_forwards_its_messages(queue, opened):
    client = client_of(opened)
    opened.enter_context(client.get_queue_sender(queue)).send_messages(ServiceBusMessage("on its way"))
    receiver = opened.enter_context(client.get_queue_receiver("forwarded"))
    message = receive_one(receiver)
    equal(str(message), "on its way")
    receiver.complete_message(message)


# Topics

@flow
def a_topic_gives_every_subscription_its_copy(topic, opened):
    client = client_of(opened)
    opened.enter_context(client.get_topic_sender(topic)).send_messages([ServiceBusMessage("1"), ServiceBusMessage("2")])
    for subscription in ("one", "two"):
        receiver = opened.enter_context(client.get_subscription_receiver(topic, subscription))
        messages = receive(receiver, 2)
        equal(texts(messages), ["1", "2"])
        complete_all(receiver, messages)
        has_none(receiver)


@flow
def a_subscription_has_its_own_dead_letters(topic, opened):
    client = client_of(opened)
    opened.enter_context(client.get_topic_sender(topic)).send_messages(ServiceBusMessage("t"))
    one = opened.enter_context(client.get_subscription_receiver(topic, "one"))
    one.dead_letter_message(receive_one(one), reason="why")
    dead = opened.enter_context(client.get_subscription_receiver(topic, "one", sub_queue=ServiceBusSubQueue.DEAD_LETTER))
    message = receive_one(dead)
    equal((str(message), message.dead_letter_reason), ("t", "why"))
    dead.complete_message(message)
    has_none(opened.enter_context(client.get_subscription_receiver(topic, "two", sub_queue=ServiceBusSubQueue.DEAD_LETTER)))


# Errors

@flow
def sessions_are_refused_with_a_reason(queue, opened):
    receiver = client_of(opened, retries=0).get_queue_receiver(queue, session_id="s")
    error = refusal(receiver.receive_messages, 1, max_wait_time=2)
    assert isinstance(error, exceptions.ServiceBusError) and "session" in str(error).lower(), repr(error)


@flow
def an_unknown_queue_is_reported_by_its_error(_, opened):
    client = client_of(opened, retries=0)
    sender, receiver = client.get_queue_sender("no-such-queue"), client.get_queue_receiver("no-such-queue")
    for error in (refusal(sender.send_messages, ServiceBusMessage("x")), refusal(receiver.receive_messages, 1, max_wait_time=2)):
        # Up to 7.8 the SDK calls what ended the link a failure of communication.
        assert isinstance(error, (exceptions.MessagingEntityNotFoundError, exceptions.ServiceBusCommunicationError)), repr(error)
        assert re.search("The messaging entity 'sb://[^/]+/no-such-queue' could not be found", str(error)), str(error)


@flow
def a_wrong_key_is_unauthorised(queue, opened):
    wrong = CONNECTION.replace(parts_of(CONNECTION)["SharedAccessKey"], base64.b64encode(bytes(32)).decode())
    client = client_of(opened, wrong, retries=0)
    for error in (
            refusal(client.get_queue_sender(queue).send_messages, ServiceBusMessage("x")),
            refusal(client.get_queue_receiver(queue).receive_messages, 1, max_wait_time=2)):
        assert isinstance(error, exceptions.ServiceBusAuthenticationError), repr(error)


run_flows()
