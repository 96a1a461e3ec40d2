using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>A consumer of the group, and the identifier under which it owns partitions.</summary>
internal sealed record ConsumerGroupMember(string Owner, ChildProcess Process, Task Output);

/// <summary>Consumers that share a hub's partitions, each a separate process, named by number in the order in which they joined.</summary>
/// <param name="options">What each is started with, beside its identifier.</param>
/// <param name="environment">Their connection settings.</param>
/// <param name="clock">The clock.</param>
internal sealed class ConsumerGroupProcesses(RunOptions options, IReadOnlyDictionary<string, string> environment, TimeProvider clock) : IAsyncDisposable
{
    private readonly List<ConsumerGroupMember> members = [];
    private int joined;

    /// <summary>The running consumers, the oldest first.</summary>
    public IReadOnlyList<ConsumerGroupMember> Members => members;

    public void Join()
    {
        var owner = $"consumer-{++joined}";
        var process = ConsumerProcess.Start(options.With(processing => processing with { Identifier = owner }), environment, clock);
        members.Add(new ConsumerGroupMember(owner, process, process.DiscardOutputAsync(CancellationToken.None)));
    }

    /// <summary>Kills a member, or asks it to drain, and returns how it ended.</summary>
    public async Task<ConsumerEnd> EndAsync(ConsumerGroupMember member, bool dies, CancellationToken cancellationToken)
    {
        members.Remove(member);
        await using var process = member.Process;
        if (dies)
        {
            await process.EndAsync();
        }
        else
        {
            await process.TerminateAsync();
            await process.Ended.WaitAsync(cancellationToken);
        }

        await member.Output;
        return new ConsumerEnd(process.ExitCode, await process.LastErrorAsync(), null);
    }

    /// <summary>Checks that no consumer has ended without being asked to.</summary>
    /// <exception cref="FailureException">A consumer did.</exception>
    public async Task ThrowIfAnyHasEndedAsync()
    {
        if (members.Find(member => member.Process.Ended.IsCompleted) is { } gone)
        {
            throw new FailureException(
                FailureCause.Verification,
                $"{gone.Owner} ended by itself with code {gone.Process.ExitCode}: {await gone.Process.LastErrorAsync()}"
            );
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var member in members)
        {
            await member.Process.DisposeAsync();
        }
    }
}
