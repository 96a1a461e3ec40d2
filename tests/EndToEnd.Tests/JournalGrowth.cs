using EventHubThroughput.Journal;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Waits for a moment of a run by watching the journal that the emulator writes: the one signal that crosses processes.</summary>
internal static class JournalGrowth
{
    public static async Task WaitAsync(string journal, Func<IEnumerable<JournalRecord>, bool> reached, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(Programs.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        while (await look.WaitForNextTickAsync(limit.Token))
        {
            if (reached(JournalFile.Open(journal).Records))
            {
                return;
            }
        }
    }
}
