namespace EventHubThroughput.Clients.Azure.Administration;

/// <summary>Creates and deletes entities of one kind. Each entity has the name of its owner as metadata, so that no other entity is deleted.</summary>
/// <param name="getSubject">The entity in messages, with its kind.</param>
/// <param name="failures">Converts the exceptions of the package.</param>
internal sealed class EntityAdministration(Func<string, string> getSubject, AdministrationFailures failures)
{
    /// <summary>Creates an entity with a name and an owner.</summary>
    public required Func<string, string, CancellationToken, Task> Create { private get; init; }

    /// <summary>Reads the owner of an entity. Null if it has none.</summary>
    public required Func<string, CancellationToken, Task<string?>> ReadOwner { private get; init; }

    /// <summary>Deletes an entity.</summary>
    public required Func<string, CancellationToken, Task> Delete { private get; init; }

    /// <summary>The entity in messages, with its kind.</summary>
    public string GetSubject(string name) => getSubject(name);

    /// <summary>Creates an entity.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="owner">The owner.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="MessagingException">Kind Conflict: it exists. Kind Unauthorized: the right to create it is missing.</exception>
    public Task CreateAsync(string name, string owner, CancellationToken cancellationToken) =>
        RunAsync(name, () => Create(name, owner, cancellationToken), cancellationToken);

    /// <summary>Reads the owner of an entity.</summary>
    /// <returns>The owner, empty if it has none. Null if the entity does not exist.</returns>
    /// <exception cref="MessagingException">It cannot be read.</exception>
    public async Task<string?> FindOwnerAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            return await failures.RunAsync(GetSubject(name), () => ReadOwner(name, cancellationToken), cancellationToken).ConfigureAwait(false) ?? string.Empty;
        }
        catch (MessagingException missing) when (missing.Kind == FailureKind.NotFound)
        {
            return null;
        }
    }

    /// <summary>Deletes an entity. A missing one counts as deleted.</summary>
    /// <exception cref="MessagingException">It cannot be deleted.</exception>
    public async Task DeleteAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            await RunAsync(name, () => Delete(name, cancellationToken), cancellationToken).ConfigureAwait(false);
        }
        catch (MessagingException missing) when (missing.Kind == FailureKind.NotFound)
        {
            // Deleted by an earlier try.
        }
    }

    private Task<bool> RunAsync(string name, Func<Task> operation, CancellationToken cancellationToken) =>
        failures.RunAsync(
            GetSubject(name),
            async () =>
            {
                await operation().ConfigureAwait(false);
                return true;
            },
            cancellationToken
        );
}
