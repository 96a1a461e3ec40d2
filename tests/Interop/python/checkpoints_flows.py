"""The official consumer with the official blob checkpoint store. Every flow has a hub of its own and makes its own container."""
import os
import threading
import uuid
from urllib.parse import urlsplit

import azure.eventhub
from azure.eventhub import EventData, EventHubConsumerClient, EventHubProducerClient, LoadBalancingStrategy
from azure.eventhub.extensions.checkpointstoreblob import BlobCheckpointStore
from azure.storage.blob import ContainerClient
from flows import connection_of, equal, flow, parts_of, run_flows, until

CONNECTION, TLS = connection_of(azure.eventhub.__version__, (5, 12), "EVENTHUB_CONNECTION_STRING")
NAMESPACE = urlsplit(parts_of(CONNECTION)["Endpoint"]).netloc
STORAGE = os.environ["STORAGE_CONNECTION_STRING"]
PATIENT = {"retry_total": 3, "retry_backoff_factor": 0.1, **TLS}


class Group:
    """Consumers of one hub with one checkpoint store: what they saw, and by whom."""

    def __init__(self, hub, opened):
        self.hub, self.seen, self.owners, self.errors = hub, [], {}, []
        self._container = f"c{uuid.uuid4()}"
        ContainerClient.from_connection_string(STORAGE, self._container).create_container()
        self._producer = opened.enter_context(EventHubProducerClient.from_connection_string(CONNECTION, eventhub_name=hub, **PATIENT))
        self._opened, self.sent = opened, 0

    @property
    def store(self):
        return BlobCheckpointStore.from_connection_string(STORAGE, self._container)

    def send(self, count):
        for self.sent in range(self.sent + 1, self.sent + 1 + count):
            self._producer.send_batch([EventData(str(self.sent))], partition_id=str(self.sent % 4))

    def start(self, name, checkpoint=True):
        def take(context, events):
            if events:
                self.owners[context.partition_id] = name
                self.seen.extend(int(event.body_as_str()) for event in events)
                if checkpoint:
                    context.update_checkpoint(events[-1])

        consumer = self._opened.enter_context(EventHubConsumerClient.from_connection_string(
            CONNECTION, "$Default", eventhub_name=self.hub, checkpoint_store=self.store, load_balancing_interval=0.5,
            partition_ownership_expiration_interval=5, load_balancing_strategy=LoadBalancingStrategy.GREEDY, **PATIENT))
        threading.Thread(
            target=consumer.receive_batch, args=(take,), daemon=True,
            kwargs={"starting_position": "-1", "max_wait_time": 1, "max_batch_size": 50, "on_error": lambda _, error: self.errors.append(error)}).start()
        return consumer

    def has_seen_all(self):
        until(lambda: len(set(self.seen)) == self.sent, lambda: f"{len(set(self.seen))} of {self.sent} events seen; {self.errors}", 30)

    def checkpoints(self):
        return sorted(int(checkpoint["sequence_number"]) for checkpoint in self.store.list_checkpoints(NAMESPACE, self.hub, "$Default"))

    def share_of(self, name):
        return sum(owner == name for owner in self.owners.values())


@flow(seconds=60)
def a_consumer_continues_from_its_checkpoints(hub, opened):
    group = Group(hub, opened)
    group.send(40)
    first = group.start("first")
    group.has_seen_all()
    until(lambda: group.checkpoints() == [9, 9, 9, 9], lambda: f"checkpoints: {group.checkpoints()}")
    first.close()
    group.send(40)
    group.start("second")
    group.has_seen_all()
    equal(sorted(group.seen), list(range(1, 81)))


@flow(seconds=60)
def events_after_the_last_checkpoint_come_again(hub, opened):
    group = Group(hub, opened)
    group.send(20)
    first = group.start("first", checkpoint=False)
    group.has_seen_all()
    first.close()
    group.start("second")
    until(lambda: sorted(group.seen) == sorted(2 * list(range(1, 21))), lambda: f"seen: {sorted(group.seen)}")


@flow(seconds=90)
def two_consumers_share_the_partitions_and_hand_them_over(hub, opened):
    group = Group(hub, opened)
    group.send(4)
    first = group.start("first")
    group.has_seen_all()
    second = group.start("second")

    def shared(of_first, of_second):
        group.send(4)
        group.has_seen_all()
        return (group.share_of("first"), group.share_of("second")) == (of_first, of_second)

    until(lambda: shared(2, 2), lambda: f"owners: {group.owners}", 40)
    first.close()
    until(lambda: shared(0, 4), lambda: f"owners after the first left: {group.owners}", 40)
    second.close()
    equal(set(group.seen), set(range(1, group.sent + 1)))


run_flows()
