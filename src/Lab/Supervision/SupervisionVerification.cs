using EventHubThroughput.Events;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>Judges a backlog that is complete, independent of the consumers that completed it.</summary>
internal static class SupervisionVerification
{
    /// <param name="counters">The counters that the verdict is added to.</param>
    /// <param name="plan">The plan of the supervision.</param>
    /// <param name="strategy">The strategy of all consumers.</param>
    /// <param name="run">The name that they all had.</param>
    /// <param name="services">The emulator, ended, with ledger and journal.</param>
    /// <param name="bound">The most duplicates that the ends of the consumers may have made.</param>
    public static void Judge(
        this SupervisionCounters counters,
        SupervisionPlan plan,
        StrategyDescriptor strategy,
        string run,
        EmbeddedServices services,
        long bound
    )
    {
        var verdictReport = RunVerification.Judge(
            plan.GetOptions(strategy, run),
            services.Settings,
            (services.Ledger, services.Journal),
            named: true,
            endedEarly: false
        );
        if (verdictReport.Verdict is { } verdict)
        {
            counters.Add(verdict, bound);
            if (verdict.DuplicateServiceBus + verdict.DuplicateBlob > bound)
            {
                counters.Failures.Add(
                    $"{strategy.Name}, backlog {run}: {Plural.Format(verdict.DuplicateServiceBus + verdict.DuplicateBlob, "duplicate")}, allowed {bound}"
                );
            }
        }

        if (verdictReport.Code != ExitCode.Done)
        {
            counters.Failures.Add($"{strategy.Name}, backlog {run}: {verdictReport.Line}");
        }
    }
}
