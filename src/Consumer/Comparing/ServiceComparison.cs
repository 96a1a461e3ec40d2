using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Lab.Services;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>
/// A comparison on services that exist. It checks the rights, prints what it will do, and asks. Afterwards it removes all that it has created.
/// </summary>
internal sealed class ServiceComparison(ComparisonPlan requested, CommandConsole console, StopSignals signals, TimeProvider clock)
{
    private static readonly TimeSpan RemovalLimit = TimeSpan.FromMinutes(10);

    private readonly ComparisonServices services = requested.Services!;

    /// <returns>The exit code.</returns>
    /// <exception cref="UsageException">There is no terminal to ask on, or too few entities exist.</exception>
    public async Task<int> RunAsync()
    {
        ComparisonFiles.EnsureWritable(requested.Output, requested.Report, requested.Gates.JUnit);
        EnsureSets();
        try
        {
            var partitions = await new ServiceRights(services.Settings, services.Clients, clock).EnsureHubAsync(signals.First);
            var plan = GetPlan(partitions);
            var folder = Environment.CurrentDirectory;
            foreach (var line in ServicePlanText.Of(plan, services.Existing is null ? Path.Combine(folder, EntityState.GetFileName(plan.Id)) : null))
            {
                await console.Error.WriteLineAsync(line);
            }

            if (!await IsConfirmedAsync())
            {
                await console.Error.WriteLineAsync($"{plan.Arguments[0]}: nothing was created or sent");
                return ExitCode.Usage;
            }

            return services.Existing is null ? await RunAsync(plan, folder) : await RunAsync(plan, created: null);
        }
        catch (MessagingException failure)
        {
            throw new FailureException(FailureCause.Dependency, failure.Message, failure);
        }
        catch (OperationCanceledException stopped) when (signals.First.IsCancellationRequested)
        {
            throw new FailureException(FailureCause.Interrupted, "stopped before the first cell", stopped);
        }
    }

    private async Task<int> RunAsync(ComparisonPlan plan, string folder)
    {
        using var created = CreatedEntities.Begin(services.Settings, plan.Id, folder, services.GetAllCreated(plan), clock);
        signals.DescribeReplay = () => $"entities of the comparison remain: {plan.Arguments[0]} --clean-up {created.StateFile} removes them";
        IReadOnlyList<string> left = [];
        int code;
        try
        {
            code = await RunAsync(plan, created);
        }
        finally
        {
            left = await RemoveAsync(created);
        }

        return left.Count == 0 ? code : ExitCode.Worst([code, ExitCode.Dependency]);
    }

    private Task<int> RunAsync(ComparisonPlan plan, CreatedEntities? created) =>
        new ComparisonRun(plan, async token => await ServiceCells.StartAsync(plan, created, clock, token), console, signals, clock).RunAsync();

    private async Task<IReadOnlyList<string>> RemoveAsync(CreatedEntities created)
    {
        // A signal ends the comparison, and not the removal.
        using var limit = new CancellationTokenSource(RemovalLimit, clock);
        IReadOnlyList<string> left;
        try
        {
            left = await created.RemoveAllAsync(limit.Token);
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            left = [$"the entities were not removed within {RemovalLimit.TotalMinutes:0} min"];
        }

        foreach (var sentence in left)
        {
            await console.Error.WriteLineAsync($"error: {sentence}");
        }

        if (left.Count > 0)
        {
            await console.Error.WriteLineAsync($"left: {requested.Arguments[0]} --clean-up {created.StateFile} removes them");
        }

        return left;
    }

    // The number of partitions is that of the hub. The events depend on it, unless their number was chosen.
    private ComparisonPlan GetPlan(int partitions)
    {
        var plan = requested with
        {
            Load = requested.Load with { Partitions = partitions },
            Configurations =
            [
                .. requested.Configurations.Select(one =>
                    one with
                    {
                        Options = one.Options with { Load = one.Options.Load! with { Partitions = partitions } },
                    }
                ),
            ],
        };
        return services.HasEvents || plan.IsOpenLoop ? plan : plan with { Load = plan.Load with { Events = ComparisonDemand.GetEvents(plan) } };
    }

    private async Task<bool> IsConfirmedAsync()
    {
        if (services.IsConfirmed)
        {
            return true;
        }

        if (console.ReadAnswer is not { } read)
        {
            throw new UsageException($"{ServiceArguments.YesName}: not given, and there is no terminal for the question. Nothing was created or sent");
        }

        await console.Error.WriteAsync("Continue? [y/N] ");
        // Reading a terminal cannot be cancelled.
        var answer = await Task.Run(read).WaitAsync(signals.First);
        return answer?.Trim() is { } text && ((string[])["y", "yes"]).Contains(text, StringComparer.OrdinalIgnoreCase);
    }

    private void EnsureSets()
    {
        var needed = ComparisonServices.GetCells(requested).Count();
        if (services.Existing is { } existing && existing.Count < needed)
        {
            throw new UsageException(
                $"{ServiceArguments.EntitiesName}: has {existing.Count} cells, and this comparison may run {needed}, each with a separate set"
            );
        }
    }
}
