using EventHubThroughput.Journal;
using EventHubThroughput.Processes;
using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Scripts;

/// <summary>Hubs that are not any more what the stored checkpoints were written for.</summary>
internal static class Hubs
{
    /// <summary>After a whole run enough events are sent that retention removes unread events.</summary>
    public static async Task<FinishedProcess> TrimmedAsync(Stage stage, CancellationToken token)
    {
        await ConsumeWhollyAsync(stage, token);
        await stage.SendMoreAsync("--count 6000 --size 256 --keys 64", token);
        return await stage.ConsumeAsync(token);
    }

    /// <summary>After a whole run the hub is deleted and made again, with a few events.</summary>
    public static Func<Stage, CancellationToken, Task<FinishedProcess>> Recreated(int partitions) =>
        async (stage, token) =>
        {
            await ConsumeWhollyAsync(stage, token);
            await stage.Administration.SendAsync(HttpMethod.Delete, "hubs/hub", token);
            await stage.Administration.SendAsync(HttpMethod.Put, "hubs/hub", token, $"{{ \"partitions\": {partitions} }}");
            await stage.SendMoreAsync("--count 200 --size 256 --keys 64", token);
            return await stage.ConsumeAsync(token);
        };

    /// <summary>Another run has sent enough events before that the beginning of every partition has gone.</summary>
    public static async Task SentAfterOthersWereTrimmedAsync(Stage stage, CancellationToken token)
    {
        await stage.SendMoreAsync("--count 12000 --size 256 --keys 64", token);
        await stage.SendAsync("--size 256 --keys 64", token);
    }

    /// <summary>The hub stays empty, and the ledger has no events.</summary>
    public static Task NothingSent(Stage stage, CancellationToken token)
    {
        LedgerWriter.Open(stage.Ledger).Dispose();
        return Task.CompletedTask;
    }

    private static async Task ConsumeWhollyAsync(Stage stage, CancellationToken token)
    {
        var first = await stage.ConsumeAsync(token);
        stage.Expect(first.ExitCode == 0, $"the first run ended with {first.ExitCode}: {first.Error.Trim()}");
    }
}
