using System.Globalization;
using System.Text.Unicode;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>The ledger of a good run of any size.</summary>
internal sealed class GeneratedLedger(long events) : GeneratedLines
{
    public const int Keys = 1_000;

    private long next = -1;

    public static LedgerFile Of(long events) => LedgerFile.From(() => new GeneratedLedger(events));

    protected override bool WriteNext()
    {
        if (next > events)
        {
            return false;
        }

        int length;
        if (next < 0)
        {
            Utf8.TryWrite(Free, CultureInfo.InvariantCulture, $"{{\"format\":\"eht-ledger\",\"version\":1}}\n", out length);
        }
        else if (next == events)
        {
            Utf8.TryWrite(Free, CultureInfo.InvariantCulture, $"{{\"rows\":{events}}}\n", out length);
        }
        else
        {
            Utf8.TryWrite(
                Free,
                CultureInfo.InvariantCulture,
                $"{{\"run\":\"run-1\",\"hub\":\"hub\",\"key\":\"key-{next % Keys}\",\"index\":{next},\"keyIndex\":{next / Keys},\"sha256\":\"{ComputeSha256(next)}\",\"length\":300,\"intended\":1700000000000,\"actual\":1700000000001,\"outcome\":\"acked\"}}\n",
                out length
            );
        }

        Advance(length);
        next++;
        return true;
    }
}
