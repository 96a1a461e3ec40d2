using System.Collections.ObjectModel;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Lab.Services;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>
/// Services that exist. The hub of the settings is filled once. Each cell starts at the positions of the hub before that, which are stored as its checkpoints.
/// At a rate, a cell starts at the positions of its moment. The verdict of a cell is computed from what is read back before its entities are removed.
/// </summary>
internal sealed class ServiceCells : ICellServices
{
    private static readonly TimeSpan ReadingLimit = TimeSpan.FromMinutes(30);

    private readonly ComparisonPlan plan;
    private readonly ComparisonServices services;
    private readonly CreatedEntities? created;
    private readonly TimeProvider clock;
    private readonly EmbeddedFolder folder;

    // Those of the hub that all cells read. At a rate each cell replaces them.
    private HubEvents? events;
    private IReadOnlyDictionary<string, EventPosition> starts = ReadOnlyDictionary<string, EventPosition>.Empty;

    // The first cell, whose entities exist before it starts.
    private CellNames? prepared;

    private ServiceCells(ComparisonPlan plan, CreatedEntities? created, EmbeddedFolder folder, TimeProvider clock) =>
        (this.plan, services, this.created, this.folder, this.clock) = (plan, plan.Services!, created, folder, clock);

    public string Folder => folder.Path;

    public ClientFamily Clients => services.Clients;

    public SharedEmulator? Emulator => null;

    /// <summary>Creates the entities of the first cell, checks the rights on them, then fills the hub.</summary>
    /// <param name="plan">The comparison.</param>
    /// <param name="created">Creates entities. Null if they exist.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    /// <exception cref="FailureException">A right is missing.</exception>
    public static async Task<ServiceCells> StartAsync(ComparisonPlan plan, CreatedEntities? created, TimeProvider clock, CancellationToken cancellationToken)
    {
        var started = new ServiceCells(plan, created, EmbeddedFolder.Create(plan.Load.Keep), clock);
        try
        {
            await started.BeginAsync(cancellationToken);
            return started;
        }
        catch
        {
            await started.DisposeAsync();
            throw;
        }
    }

    public CellHub GetHub(ComparisonPlan at, Cell cell) => GetHub(cell.Names);

    public MessagingSettings GetSettings(Cell cell, CellHub hub) => GetSettings(cell.Names);

    public IReadOnlyDictionary<string, string> GetVariables(Cell cell, CellHub hub) =>
        services.GetEntities(plan, cell.Names).Of(ReadOnlyDictionary<string, string>.Empty, hub);

    public async Task PrepareAsync(ComparisonPlan at, Cell cell, CellHub hub, CancellationToken cancellationToken)
    {
        await CreateAsync(cell.Names, cancellationToken);
        await using var clients = Connect(GetSettings(cell, hub));
        if (plan.IsOpenLoop)
        {
            starts = await HubPositions.ReadAsync(clients, cancellationToken);
            events = new HubEvents(Path.Combine(Folder, $"hub-{cell.Names.Run}.jsonl"), starts);
        }

        await HubPositions.StoreAsync(clients, starts, cancellationToken);
    }

    public async Task<CellEvidence> EndAsync(ComparisonPlan at, Cell cell, CellHub hub, bool isUsable, CancellationToken cancellationToken)
    {
        var verdict = isUsable ? await ReadBackAsync(cell, hub, cancellationToken) : null;
        await (created?.RemoveAsync(services.GetCreated(plan, cell.Names), cancellationToken) ?? Task.CompletedTask);
        return new CellEvidence([], verdict);
    }

    public Task<IReadOnlyList<ComparedCell>> JudgeAsync(ComparisonPlan at, IReadOnlyList<FinishedCell> cells) =>
        Task.FromResult<IReadOnlyList<ComparedCell>>([
            .. cells.Select(cell => CellVerification.GetCell(at, cell, cell.Evidence.Verdict ?? VerdictReport.NothingNamed)),
        ]);

    public ValueTask DisposeAsync()
    {
        folder.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task BeginAsync(CancellationToken cancellationToken)
    {
        var first = ComparisonServices.GetCells(plan).First();
        await (created?.CreateAsync(services.GetGroups(plan), cancellationToken) ?? Task.CompletedTask);
        await CreateAsync(first, cancellationToken);
        prepared = first;
        var settings = GetSettings(first);
        await new ServiceRights(settings, services.Clients, clock).EnsureAsync(services.GetEntities(plan, first).Subscription, cancellationToken);
        if (!plan.IsOpenLoop)
        {
            await FillAsync(first, settings, cancellationToken);
        }
    }

    private async Task FillAsync(CellNames first, MessagingSettings settings, CancellationToken cancellationToken)
    {
        await using (var clients = Connect(settings))
        {
            starts = await HubPositions.ReadAsync(clients, cancellationToken);
        }

        events = new HubEvents(Path.Combine(Folder, "hub.jsonl"), starts);
        var hub = GetHub(first);
        var variables = new Dictionary<string, string>(plan.Log.Variables, StringComparer.Ordinal) { ["EVENTHUB_NAME"] = hub.Name };
        await EmbeddedSender.FillAsync(hub.Sender, EmbeddedLoad.Of(plan.Load), hub.Ledger, variables, clock, cancellationToken);
    }

    private Task CreateAsync(CellNames cell, CancellationToken cancellationToken) =>
        cell == prepared ? Task.CompletedTask : created?.CreateAsync(services.GetCreated(plan, cell), cancellationToken) ?? Task.CompletedTask;

    private async Task<VerdictReport> ReadBackAsync(Cell cell, CellHub hub, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(ReadingLimit, clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        var settings = GetSettings(cell.Names);
        await using var clients = Connect(settings);
        var subscription = services.GetEntities(plan, cell.Names).Subscription;
        using var reading = new NamespaceReading(clients, settings, subscription, hub.Sender, TextWriter.Null) { Events = events };
        try
        {
            await reading.RunAsync(either.Token);
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw new FailureException(FailureCause.Dependency, $"the writes of a cell were not read back within {ReadingLimit.TotalMinutes:0} min");
        }

        var options = CellVerification.GetOptions(plan, cell, hub, this);
        return RunVerification.Judge(options, settings, (hub.Ledger, reading.Journal), named: true, endedEarly: false);
    }

    private CellHub GetHub(CellNames cell) =>
        plan.IsOpenLoop
            ? new CellHub(services.Settings.EventHubName, cell.Run, Path.Combine(Folder, $"ledger-{cell.Run}.jsonl"))
            : new CellHub(services.Settings.EventHubName, plan.Id, folder.Ledger);

    private MessagingSettings GetSettings(CellNames cell) => services.GetEntities(plan, cell).Of(services.Settings, GetHub(cell));

    private IMessagingClients Connect(MessagingSettings settings) => services.Clients.Connect(settings, new ClientOptions { TimeProvider = clock });
}
