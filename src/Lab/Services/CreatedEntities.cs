using System.Collections.Concurrent;
using EventHubThroughput.Clients;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Services;

/// <summary>
/// The entities that a comparison creates on the services of the settings. A state file names all of them before the first is created, so that
/// <c>--clean-up</c> finds what a killed comparison left. The comparison holds the file open, and nothing else removes its entities meanwhile.
/// </summary>
internal sealed class CreatedEntities : IDisposable
{
    private const int Concurrency = 4;

    private readonly EntityState state;
    private readonly FileStream file;
    private readonly EntityServices services;

    // Those whose creation was tried and not refused. Of a killed comparison, all.
    private readonly ConcurrentDictionary<ServiceEntity, bool> possible;

    private CreatedEntities(EntityState state, IEnumerable<ServiceEntity> possible, FileStream file, EntityServices services)
    {
        this.state = state;
        this.possible = new(possible.Select(static one => KeyValuePair.Create(one, true)));
        this.file = file;
        this.services = services;
    }

    /// <summary>The path of the state file.</summary>
    public string StateFile => file.Name;

    /// <summary>How many entities the state file names.</summary>
    public int Count => state.Entities.Count;

    /// <summary>Writes the state file of a comparison that begins.</summary>
    /// <param name="settings">The services.</param>
    /// <param name="comparison">The name of the comparison.</param>
    /// <param name="folder">The folder of the state file.</param>
    /// <param name="all">All entities that it may create.</param>
    /// <param name="clock">The clock.</param>
    /// <exception cref="FailureException">The file cannot be written.</exception>
    public static CreatedEntities Begin(MessagingSettings settings, string comparison, string folder, IReadOnlyList<ServiceEntity> all, TimeProvider clock)
    {
        var names = EntityState.Of(settings, comparison, all);
        var path = Path.Combine(folder, EntityState.GetFileName(comparison));
        try
        {
            var stream = new FileStream(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.Read);
            stream.Write(names.ToJson());
            stream.Flush(flushToDisk: true);
            return new CreatedEntities(names, [], stream, new EntityServices(settings, clock));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new FailureException(FailureCause.NotWritable, $"the state file {path} cannot be written: {exception.Message}", exception);
        }
    }

    /// <summary>Opens the state file of a comparison that was killed.</summary>
    /// <param name="option">The option that names it.</param>
    /// <param name="path">The file.</param>
    /// <param name="settings">The services of the environment.</param>
    /// <param name="clock">The clock.</param>
    /// <exception cref="UsageException">It is not a state file, names other services, or its comparison still runs.</exception>
    public static CreatedEntities Open(string option, string path, MessagingSettings settings, TimeProvider clock)
    {
        var names = EntityState.Read(option, path, settings);
        try
        {
            // Refused while its comparison has it open.
            var stream = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None);
            return new CreatedEntities(names, names.Entities, stream, new EntityServices(settings, clock));
        }
        catch (UnauthorizedAccessException)
        {
            throw new UsageException($"{option} {path}: cannot be written by this user");
        }
        catch (IOException)
        {
            throw new UsageException($"{option} {path}: its comparison still runs. End it, or wait for its end");
        }
    }

    /// <summary>Creates some of the entities.</summary>
    /// <exception cref="FailureException">One of them exists and is not of this comparison, or cannot be created. The message names it.</exception>
    public async Task CreateAsync(IReadOnlyList<ServiceEntity> some, CancellationToken cancellationToken)
    {
        // A subscription needs its topic.
        foreach (var kind in some.GroupBy(static one => one.Kind).OrderByDescending(static kind => kind.Key))
        {
            // The first shows whether the right is missing, before others are under way.
            await CreateAsync(kind.First(), cancellationToken);
            await Parallel.ForEachAsync(
                kind.Skip(1),
                new ParallelOptions { MaxDegreeOfParallelism = Concurrency, CancellationToken = cancellationToken },
                async (one, token) => await CreateAsync(one, token)
            );
        }
    }

    /// <summary>Removes some of the entities. A missing one counts as removed, and one of another owner is not touched.</summary>
    /// <returns>A sentence for each that is left.</returns>
    public async Task<IReadOnlyList<string>> RemoveAsync(IReadOnlyList<ServiceEntity> some, CancellationToken cancellationToken)
    {
        var left = new ConcurrentBag<string>();
        foreach (var kind in some.GroupBy(static one => one.Kind).OrderBy(static kind => kind.Key))
        {
            await Parallel.ForEachAsync(
                kind,
                new ParallelOptions { MaxDegreeOfParallelism = Concurrency, CancellationToken = cancellationToken },
                async (one, token) =>
                {
                    try
                    {
                        await services.DeleteAsync(one, state.Comparison, token);
                        possible.TryRemove(one, out _);
                    }
                    catch (FailureException failure)
                    {
                        left.Add(failure.Message);
                    }
                }
            );
        }

        return [.. left.Order(StringComparer.Ordinal)];
    }

    /// <summary>Removes all entities that may exist, and then the state file.</summary>
    /// <returns>A sentence for each that is left. The file remains then.</returns>
    public async Task<IReadOnlyList<string>> RemoveAllAsync(CancellationToken cancellationToken)
    {
        var left = await RemoveAsync([.. possible.Keys], cancellationToken);
        if (left.Count == 0)
        {
            File.Delete(file.Name);
        }

        return left;
    }

    private async Task CreateAsync(ServiceEntity one, CancellationToken cancellationToken)
    {
        possible.TryAdd(one, true);
        try
        {
            await services.CreateAsync(one, state.Comparison, cancellationToken);
        }
        catch (FailureException refused) when (refused.InnerException is MessagingException { Kind: FailureKind.Unauthorized or FailureKind.Conflict })
        {
            possible.TryRemove(one, out _);
            throw;
        }
    }

    public void Dispose()
    {
        file.Dispose();
        services.Dispose();
    }
}
