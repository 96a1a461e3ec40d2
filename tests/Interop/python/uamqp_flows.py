"""python3-uamqp against the TLS port: an AMQP client that shares no code with ours nor with the official SDKs."""
import os
import time
from urllib.parse import quote

import uamqp
from flows import flow, parts_of, run_flows
from uamqp import address, authentication, errors

PARTS = parts_of(os.environ["EMULATOR_TLS_CONNECTION_STRING"])
HOST, PORT = PARTS["Endpoint"].removeprefix("sb://").rstrip("/").split(":")
USER, KEY = PARTS["SharedAccessKeyName"], PARTS["SharedAccessKey"]
CERTIFICATE = os.environ["EMULATOR_TLS_CERTIFICATE"]
HUB, QUEUE = os.environ["EVENTHUB_NAME"], os.environ["SERVICEBUS_QUEUE"]


def url(path):
    return f"amqps://{HOST}/{path}"


def plain(key=KEY):
    return authentication.SASLPlain(HOST, USER, key, port=int(PORT), verify=CERTIFICATE)


def token(path):
    return authentication.SASTokenAuth.from_shared_access_key(url(path), USER, KEY, port=int(PORT), verify=CERTIFICATE)


def send(path, messages, auth=None):
    client = uamqp.SendClient(url(path), auth=auth or plain())
    try:
        client.queue_message(*messages)
        results = client.send_all_messages(close_on_done=False)
        assert all(result == uamqp.constants.MessageState.SendComplete for result in results), results
    finally:
        client.close()


def receive(source, count, auth=None):
    client = uamqp.ReceiveClient(source, auth=auth or plain(), prefetch=10, auto_complete=False)
    received = []
    try:
        end = time.monotonic() + 15
        while len(received) < count and time.monotonic() < end:
            for message in client.receive_message_batch(max_batch_size=count - len(received), timeout=2000):
                message.accept()
                received.append(message)
    finally:
        client.close()
    assert len(received) == count, f"{len(received)} of {count} messages came"
    return received


def partition(number, position="amqp.annotation.x-opt-offset > '-1'"):
    source = address.Source(url(f"{HUB}/ConsumerGroups/$Default/Partitions/{number}"))
    source.set_filter(position.encode())
    return source


def texts(messages):
    return [b"".join(message.get_data()).decode() for message in messages]


def numbered(prefix, count):
    return [uamqp.Message(f"{prefix}{i}".encode(), application_properties={b"n": i}) for i in range(count)]


@flow
def three_events_come_back_from_their_partition(*_):
    send(f"{HUB}/Partitions/0", numbered("u", 3))
    events = receive(partition(0), 3)
    assert texts(events) == ["u0", "u1", "u2"], texts(events)
    assert [event.application_properties[b"n"] for event in events] == [0, 1, 2]
    assert [event.annotations[b"x-opt-sequence-number"] for event in events] == [0, 1, 2]


@flow
def a_filter_chooses_the_start(*_):
    send(f"{HUB}/Partitions/1", numbered("f", 5))
    events = receive(partition(1, "amqp.annotation.x-opt-sequence-number > '2'"), 2)
    assert texts(events) == ["f3", "f4"], texts(events)


@flow
def a_large_event_crosses_many_frames(*_):
    body = os.urandom(500_000)
    send(f"{HUB}/Partitions/2", [uamqp.Message(body)])
    assert b"".join(receive(partition(2), 1)[0].get_data()) == body


@flow
def a_message_is_sent_received_and_settled(*_):
    send(QUEUE, numbered("q", 3))
    assert texts(receive(address.Source(url(QUEUE)), 3)) == ["q0", "q1", "q2"]
    client = uamqp.ReceiveClient(url(QUEUE), auth=plain(), prefetch=1)
    try:
        assert client.receive_message_batch(max_batch_size=1, timeout=1000) == []
    finally:
        client.close()


@flow
def a_token_put_to_cbs_opens_the_link(*_):
    send(f"{HUB}/Partitions/3", numbered("t", 2), token(f"{HUB}/Partitions/3"))
    assert texts(receive(partition(3), 2, token(f"{HUB}/ConsumerGroups/{quote('$Default')}/Partitions/3"))) == ["t0", "t1"]


@flow
def a_wrong_key_is_refused(*_):
    try:
        send(f"{HUB}/Partitions/0", numbered("no", 1), plain("wrong"))
    except (errors.AuthenticationException, errors.AMQPConnectionError):
        return
    raise AssertionError("a wrong key was let in")


run_flows(at_once=1)
