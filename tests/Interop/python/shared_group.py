"""The official consumer with the official blob checkpoint store, in a consumer group that another client shares.

Prints a line of JSON with the checkpoints that its store lists, then one for each event, after the checkpoint of its batch was stored. Ends
when its input ends.
"""
import json
import os
import sys
import threading
from urllib.parse import urlsplit

import azure.eventhub
from azure.eventhub import EventHubConsumerClient, LoadBalancingStrategy
from azure.eventhub.extensions.checkpointstoreblob import BlobCheckpointStore
from flows import connection_of, parts_of

CONNECTION, TLS = connection_of(azure.eventhub.__version__, (5, 12), "EVENTHUB_CONNECTION_STRING")
# As in a connection string of Azure: 5671 goes without saying, and would be part of the namespace in the names of the blobs.
CONNECTION = CONNECTION.replace(":5671", "")
NAMESPACE = urlsplit(parts_of(CONNECTION)["Endpoint"]).hostname
HUB, GROUP = os.environ["EVENTHUB_NAME"], os.environ["EVENTHUB_CONSUMER_GROUP"]


def say(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def take(context, events):
    if events:
        context.update_checkpoint(events[-1])
        for event in events:
            say({"partition": context.partition_id, "sequence": event.sequence_number})


store = BlobCheckpointStore.from_connection_string(os.environ["STORAGE_CONNECTION_STRING"], os.environ["CHECKPOINT_CONTAINER"])
say({"checkpoints": [
    {"partition": one["partition_id"], "sequence": int(one["sequence_number"]), "offset": one["offset"]}
    for one in store.list_checkpoints(NAMESPACE, HUB, GROUP)]})
consumer = EventHubConsumerClient.from_connection_string(
    CONNECTION, GROUP, eventhub_name=HUB, checkpoint_store=store, load_balancing_interval=0.5, partition_ownership_expiration_interval=5,
    load_balancing_strategy=LoadBalancingStrategy.GREEDY, retry_total=3, retry_backoff_factor=0.1, **TLS)
threading.Thread(target=consumer.receive_batch, args=(take,), daemon=True, kwargs={
    "starting_position": "-1", "max_wait_time": 1, "max_batch_size": 50,
    "on_error": lambda _, error: print(repr(error), file=sys.stderr, flush=True)}).start()
sys.stdin.read()
consumer.close()
os._exit(0)
