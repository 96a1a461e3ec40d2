using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Safety.Cells;

/// <summary>One event of a data row, as no ordinary sender would send it.</summary>
/// <param name="Body">The body, of any kind.</param>
internal sealed record DataEvent(MessageBody Body)
{
    public AmqpMap Properties { get; init; } = [];

    public string? Key { get; init; }

    public string? ContentType { get; init; }

    public string? MessageId { get; init; }

    public static DataEvent Of(byte[] body) => new(MessageBody.OfData(body));
}
