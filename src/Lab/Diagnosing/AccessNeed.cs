using EventHubThroughput.Clients;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>What a consumer must be allowed to do with an entity.</summary>
/// <param name="Entity">The entity, with its kind.</param>
/// <param name="Right">The right, in words.</param>
/// <param name="Role">The role of Entra ID that includes it.</param>
internal sealed record AccessNeed(string Entity, string Right, string Role)
{
    /// <summary>Names the credential that is used, and what it must have. Null for Entra ID.</summary>
    public string? KeyCure { get; init; }

    /// <summary>What a user must do if the entity does not exist.</summary>
    public required string Creation { get; init; }

    /// <summary>The need of an entity of a namespace.</summary>
    /// <param name="entity">The entity, with its kind.</param>
    /// <param name="right">The right: Listen or Send.</param>
    /// <param name="role">The role.</param>
    /// <param name="keyName">The name of the key. Null for Entra ID.</param>
    /// <param name="creation">What must be created.</param>
    public static AccessNeed OfMessaging(string entity, string right, string role, string? keyName, string creation) =>
        new(entity, $"the right {right}", role)
        {
            KeyCure = keyName is null ? null : $"give the policy '{keyName}' the right {right} on {entity}. If it has it, copy its key again",
            Creation = creation,
        };

    /// <summary>The result of a failed operation: the words of the service and what the user can do.</summary>
    /// <param name="subject">What was checked.</param>
    /// <param name="failure">The failure.</param>
    public CheckResult GetFailure(string subject, MessagingException failure)
    {
        // Only the refusal of a right is the same sentence for each cause, so the right is named.
        var text = failure.Kind == FailureKind.Unauthorized ? $"{failure.Message}: needs {Right} on {Entity}" : failure.Message;
        return CheckResult.Failed(subject, text, GetCure(failure));
    }

    private string GetCure(MessagingException failure) =>
        failure.Kind switch
        {
            FailureKind.Unauthorized => KeyCure ?? $"assign the role '{Role}' on {Entity} to the identity, and wait some minutes",
            FailureKind.NotFound => Creation,
            FailureKind.Unavailable => $"enable {Entity}, or make room in it",
            FailureKind.Throttled => "try again later, or raise the capacity of the service",
            FailureKind.Permanent => "correct the settings",
            _ => "try again, with a longer --timeout if the service is far away",
        };
}
