using Azure.Messaging.EventHubs.Processor;
using EventHubThroughput.Pump;
using EventHubThroughput.Pump.Azure;
using PumpedProcessor;

// ClientOfBlobs replaces the EventProcessorClient and has the same events.
var processor = ClientOfBlobs.FromEnvironment();
await using var writes = EventWrites.FromEnvironment();
using var stop = new StopSignal();
var options = new EventPumpOptions { CheckpointEvents = 100, OnFault = stop.At };

await using var pump = EventPump.ByKey<ProcessEventArgs>(args => args.Data.PartitionKey, maxConcurrency: 64, writes.HandleAsync, options);
processor.ProcessEventAsync += pump.AcceptAsync;
processor.PartitionClosingAsync += pump.CloseAsync;

await processor.StartProcessingAsync();
await stop.RequestedAsync();
await processor.StopProcessingAsync();
return stop.ExitCode;
