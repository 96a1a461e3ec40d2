"""python3-qpid-proton against the TLS port: an AMQP client that knows nothing of Azure. Each flow has a hub named like itself.

On the TLS port hubs and queues stand side by side, so that a queue has a name of its own.
"""
import os

from flows import equal, flow, parts_of, refusal, run_flows
from proton import ConnectionException, Delivery, Described, Message, SSLDomain, symbol
from proton.reactor import Filter
from proton.utils import BlockingConnection, LinkDetached

PARTS = parts_of(os.environ["EMULATOR_TLS_CONNECTION_STRING"])
ADDRESS = PARTS["Endpoint"].removeprefix("sb://").rstrip("/")


def connect(opened, key=PARTS["SharedAccessKey"], **options):
    trusting = SSLDomain(SSLDomain.MODE_CLIENT)
    trusting.set_trusted_ca_db(os.environ["EMULATOR_TLS_CERTIFICATE"])
    trusting.set_peer_authentication(SSLDomain.VERIFY_PEER_NAME)
    connection = BlockingConnection(
        f"amqps://{ADDRESS}", timeout=15, ssl_domain=trusting, user=PARTS["SharedAccessKeyName"], password=key, allowed_mechs="PLAIN", **options
    )
    opened.callback(connection.close)
    return connection


def partition(hub, number):
    return f"{hub}/ConsumerGroups/$Default/Partitions/{number}"


def send(connection, address, messages):
    sender = connection.create_sender(address)
    for message in messages:
        equal(sender.send(message).remote_state, Delivery.ACCEPTED)
    sender.close()


def numbered(count):
    return [Message(body=f"p{i}".encode(), properties={"n": i}, inferred=True) for i in range(count)]


@flow
def events_come_back_in_their_order(hub, opened):
    connection = connect(opened)
    send(connection, f"{hub}/Partitions/1", numbered(20))
    receiver = connection.create_receiver(partition(hub, 1), credit=5)
    for i in range(20):
        message = receiver.receive(timeout=15)
        equal((bytes(message.body), message.properties["n"]), (f"p{i}".encode(), i))
        equal(message.annotations["x-opt-sequence-number"], i)


@flow
def a_filter_chooses_the_start(hub, opened):
    connection = connect(opened)
    send(connection, f"{hub}/Partitions/0", numbered(5))
    name = symbol("apache.org:selector-filter:string")
    start = Filter({name: Described(name, "amqp.annotation.x-opt-sequence-number > '2'")})
    receiver = connection.create_receiver(partition(hub, 0), credit=10, options=start)
    equal([bytes(receiver.receive(timeout=15).body) for _ in range(2)], [b"p3", b"p4"])


@flow
def a_large_event_crosses_many_small_frames(hub, opened):
    connection = connect(opened, max_frame_size=1024)
    body = os.urandom(300_000)
    send(connection, f"{hub}/Partitions/2", [Message(body=body, inferred=True)])
    equal(bytes(connection.create_receiver(partition(hub, 2), credit=1).receive(timeout=15).body), body)


@flow
def accept_release_modify_and_reject_do_what_they_say(name, opened):
    connection, queue = connect(opened), f"queue-of-{name}"
    send(connection, queue, [Message(id=name, body=name) for name in ("accept", "release", "modify", "reject")])
    receiver = connection.create_receiver(queue, credit=4)
    for name, answer in (
        ("accept", receiver.accept), ("release", lambda: receiver.release(delivered=False)),
        ("modify", lambda: receiver.release(delivered=True)), ("reject", receiver.reject),
    ):
        equal(receiver.receive(timeout=15).id, name)
        answer()
    again = {}
    for _ in range(2):
        message = receiver.receive(timeout=15)
        again[message.id] = message.delivery_count
        receiver.accept()
    equal(again, {"release": 0, "modify": 1})
    equal(connection.create_receiver(f"{queue}/$DeadLetterQueue", credit=1).receive(timeout=15).id, "reject")


@flow
def a_link_to_nowhere_is_refused_and_the_connection_stays(hub, opened):
    connection = connect(opened)
    refused = refusal(connection.create_sender, "no-such-hub")
    assert isinstance(refused, LinkDetached), refused
    equal(refused.condition, "amqp:not-found")
    send(connection, hub, numbered(1))


@flow
def a_wrong_key_is_refused(_, opened):
    refused = refusal(connect, opened, key="wrong")
    assert isinstance(refused, ConnectionException), refused


run_flows(at_once=1)
