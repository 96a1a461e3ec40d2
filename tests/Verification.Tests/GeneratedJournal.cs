using System.Globalization;
using System.Text;
using System.Text.Unicode;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>
/// The journal of a good run of any size. All events are appended first, as to a backlog. Then each is delivered and written to both sinks, with a
/// checkpoint of its partition after every hundredth.
/// </summary>
internal sealed class GeneratedJournal(long events) : GeneratedLines
{
    private const int Partitions = 4;
    private const int RecordsEach = 7;
    private const int CheckpointEvery = 100;

    private static readonly string PropertiesSha256 = SimulatedEvent.Hash("properties");
    private static readonly string Properties = Convert.ToBase64String(Encoding.UTF8.GetBytes("properties"));

    private long tick;
    private long appended;
    private long written;
    private int step;

    public static JournalFile Of(long events) => JournalFile.From(() => new GeneratedJournal(events));

    protected override bool WriteNext()
    {
        if (tick == 0)
        {
            Utf8.TryWrite(Free, CultureInfo.InvariantCulture, $"{{\"format\":\"eht-journal\",\"version\":3}}\n", out var header);
            Advance(header);
            tick = 1;
            return true;
        }

        int length;
        if (appended < events)
        {
            Append(appended++, out length);
        }
        else if (written < events)
        {
            Write(out length);
        }
        else
        {
            return false;
        }

        var checksum = Crc32C.Of(Free[..length]);
        Utf8.TryWrite(Free[length..], CultureInfo.InvariantCulture, $"\t{checksum:x8}\n", out var end);
        Advance(length + end);
        tick++;
        return true;
    }

    private void Append(long i, out int length) =>
        Utf8.TryWrite(
            Free,
            CultureInfo.InvariantCulture,
            $"{{\"t\":{tick},\"m\":{tick},\"k\":\"eh.append\",\"hub\":\"hub\",\"partition\":\"{i % Partitions}\",\"sequence\":{i / Partitions},\"offset\":\"{i / Partitions}\",\"sha256\":\"{ComputeSha256(i)}\",\"length\":300,\"contentType\":\"application/json\",\"propertiesSha256\":\"{PropertiesSha256}\",\"properties\":{{\"eht-run\":\"run-1\",\"eht-index\":\"{i}\"}}}}",
            out length
        );

    private void Write(out int length)
    {
        var (i, partition, sequence) = (written, written % Partitions, written / Partitions);
        switch (step)
        {
            case 0:
                Utf8.TryWrite(
                    Free,
                    CultureInfo.InvariantCulture,
                    $"{{\"t\":{tick},\"m\":{tick},\"k\":\"eh.deliver\",\"hub\":\"hub\",\"group\":\"$Default\",\"partition\":\"{partition}\",\"sequence\":{sequence},\"link\":\"link#{partition}\",\"ownerLevel\":0}}",
                    out length
                );
                break;
            case 1 or 2:
                Utf8.TryWrite(
                    Free,
                    CultureInfo.InvariantCulture,
                    $"{{\"t\":{tick},\"m\":{tick},\"k\":\"{(step == 1 ? "sb.begin" : "sb.accept")}\",\"entity\":\"queue\",\"messageId\":\"hub-{partition}-{sequence}\",\"sha256\":\"{ComputeSha256(i)}\",\"length\":300,\"contentType\":\"application/json\",\"propertiesSha256\":\"{PropertiesSha256}\",\"properties\":{{\"eht-run\":\"run-1\",\"eht-index\":\"{i}\"}}}}",
                    out length
                );
                break;
            case 3:
                Utf8.TryWrite(
                    Free,
                    CultureInfo.InvariantCulture,
                    $"{{\"t\":{tick},\"m\":{tick},\"k\":\"sb.answered\",\"entity\":\"queue\",\"messageId\":\"hub-{partition}-{sequence}\"}}",
                    out length
                );
                break;
            case < RecordsEach:
                var moment = step switch
                {
                    4 => "blob.begin",
                    5 => "blob.stored",
                    _ => "blob.answered",
                };
                Utf8.TryWrite(
                    Free,
                    CultureInfo.InvariantCulture,
                    $"{{\"t\":{tick},\"m\":{tick},\"k\":\"{moment}\",\"container\":\"archive\",\"name\":\"hub/{partition}/{sequence:D20}\",\"sha256\":\"{ComputeSha256(i)}\",\"length\":300,\"contentType\":\"application/json\",\"metadata\":{{\"sha256\":\"{ComputeSha256(i)}\",\"length\":\"300\",\"properties\":\"{Properties}\"}},\"etag\":\"\\\"0x1\\\"\"}}",
                    out length
                );
                break;
            default:
                Utf8.TryWrite(
                    Free,
                    CultureInfo.InvariantCulture,
                    $"{{\"t\":{tick},\"m\":{tick},\"k\":\"ck.write\",\"container\":\"checkpoints\",\"hub\":\"hub\",\"group\":\"$default\",\"partition\":\"{partition}\",\"offset\":\"{sequence}\",\"sequence\":\"{sequence}\",\"clientId\":\"owner\"}}",
                    out length
                );
                break;
        }

        var last = sequence % CheckpointEvery == CheckpointEvery - 1 ? RecordsEach : RecordsEach - 1;
        (step, written) = step == last ? (0, written + 1) : (step + 1, written);
    }
}
