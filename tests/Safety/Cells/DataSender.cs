using System.Buffers;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Journal;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Safety.Cells;

/// <summary>Sends events of any shape over bare AMQP, stamped and entered into the ledger as the sender would do it.</summary>
internal static class DataSender
{
    private const string Hub = "hub";
    private static readonly TimeProvider Clock = TimeProvider.System;

    public static async Task SendAsync(Stage stage, IEnumerable<DataEvent> events, CancellationToken cancellationToken)
    {
        var settings = MessagingConnectionString.Parse(stage.Settings["EVENTHUB_CONNECTION_STRING"]);
        await using var connection = await AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions { Host = settings.Host, Port = settings.EffectivePort },
            cancellationToken
        );
        await using var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
        var link = await session.AttachSenderAsync(
            new Attach
            {
                Name = "data",
                Role = LinkRole.Sender,
                Target = new Target { Address = Hub },
                Source = new Source(),
            },
            cancellationToken
        );
        using var ledger = LedgerWriter.Open(stage.Ledger);
        var keys = new Dictionary<string, long>(StringComparer.Ordinal);
        long index = 0;
        foreach (var data in events)
        {
            var keyIndex = keys[data.Key ?? ""] = keys.GetValueOrDefault(data.Key ?? "", -1) + 1;
            var content = GetContent(data.Body);
            var stamp = EventStamp.Of(Stage.Run, index++, keyIndex, content, Clock.GetUtcNow());
            var state = await link.SendAsync(Encode(data, stamp), 0, cancellationToken);
            ledger.Write(
                new LedgerRow(
                    stamp.Run,
                    Hub,
                    data.Key,
                    stamp.Index,
                    stamp.KeyIndex,
                    stamp.Sha256,
                    stamp.Length,
                    stamp.Intended,
                    stamp.Intended,
                    state is Accepted ? SendOutcome.Acked : SendOutcome.Failed
                )
            );
            stage.Expect(state is Accepted, $"event {stamp.Index} was not accepted: {state}");
        }
    }

    private static ReadOnlyMemory<byte> Encode(DataEvent data, EventStamp stamp)
    {
        AmqpMap properties = [];
        foreach ((var name, var value) in stamp.ToProperties())
        {
            properties.Add(name, value);
        }

        foreach ((var name, var value) in data.Properties)
        {
            properties.Add(name, value);
        }

        return new AmqpMessage
        {
            MessageAnnotations = data.Key is null ? null : new AmqpMap { { new AmqpSymbol(AmqpNames.PartitionKey), data.Key } },
            Properties =
                data.ContentType is null && data.MessageId is null
                    ? null
                    : new MessageProperties { ContentType = data.ContentType, MessageId = data.MessageId },
            ApplicationProperties = properties,
            Body = data.Body,
        }.Encode();
    }

    // What reaches an application: bytes as they are, values and sequences in their encoding.
    private static byte[] GetContent(MessageBody body)
    {
        switch (body.Kind)
        {
            case MessageBodyKind.Data:
                return [.. body.Data.SelectMany(section => section.ToArray())];
            case MessageBodyKind.Value:
                var value = new ArrayBufferWriter<byte>();
                var writer = new AmqpWriter(value);
                writer.WriteValue(body.Value);
                writer.Flush();
                return value.WrittenSpan.ToArray();
            default:
                return new AmqpMessage { Body = body }
                    .Encode()
                    .ToArray();
        }
    }
}
