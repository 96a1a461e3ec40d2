using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.Strategies;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Safety.Cells;

/// <summary>One row with one strategy, one seed and one family of clients, which sends and consumes.</summary>
internal sealed record Cell(FaultRow Row, StrategyDescriptor Strategy, int Seed, string Clients)
{
    public const int UsualEvents = 1_000;

    /// <summary>The most messages of one operation (docs/strategies.md).</summary>
    public const int LargestSentBatch = 100;

    public Expected Expected => (IsOnOfficialClients ? Row.OnOfficialClients : null) ?? Row.Expected;

    /// <summary>Options of the consumer that runs after healing.</summary>
    public string Healing =>
        IsOnOfficialClients && Row.IsUnreadableForOfficialClients ? $"{Row.Healing} --clients {ClientFamily.BuiltIn.Name}".TrimStart() : Row.Healing;

    private bool IsOnOfficialClients => Clients == ClientFamily.Official;

    public int Events => Row.Events ?? UsualEvents;

    /// <summary>Whether it may send several messages in one operation.</summary>
    public bool SendsBatches => Strategy.ConcurrencyBounds == ConcurrencyBound.Operations;

    /// <summary>The command that runs this cell alone.</summary>
    public string Command => $"SAFETY={Row.Id}/{Strategy.Name} SAFETY_SEED={Seed} SAFETY_CLIENTS={Clients} dotnet test --project tests/Safety";

    public OrderPromise Promise => OrderPromises.GetPromise(Strategy);

    /// <summary>A number from 0 up to 1 that only the seed and the row decide, one for each purpose.</summary>
    public double Draw(int purpose) => new Random(Row.Id.Aggregate((Seed * 31) + purpose, static (sum, letter) => unchecked((sum * 31) + letter))).NextDouble();

    public override string ToString() => $"{Row.Id} ({Row.Injected}) x {Strategy.Name}, seed {Seed}, {Clients} clients";
}
