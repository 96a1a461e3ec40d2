using System.Text.Json;
using EventHubThroughput.Emulator.Entities;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>Answers about entities of any kind.</summary>
internal static class EntityAnswer
{
    public static AdminAnswer One<T>(int status, T settings, Action<Utf8JsonWriter, T> write) => AdminAnswer.Json(status, json => write(json, settings));

    public static AdminAnswer List<T>(string name, IEnumerable<T> all, Action<Utf8JsonWriter, T> write) =>
        AdminAnswer.Json(200, json => JsonRows.Write(json, name, all, write));

    public static AdminAnswer NotFound(string kind, string name) => AdminAnswer.Fail(404, $"The {kind} '{name}' does not exist.");

    /// <param name="create">Creates the entity.</param>
    /// <param name="kind">The kind of the entity: hub, queue.</param>
    /// <param name="name">Its name.</param>
    /// <param name="show">The answer when it exists with the same settings.</param>
    public static AdminAnswer Created(Func<CreateVerdict> create, string kind, string name, Func<int, AdminAnswer> show)
    {
        try
        {
            return create() switch
            {
                CreateVerdict.Created => show(201),
                CreateVerdict.Exists => show(200),
                CreateVerdict.Differs => AdminAnswer.Fail(409, $"The name '{name}' is taken by a {kind} with other settings, or by another entity."),
                CreateVerdict.NoTopic => AdminAnswer.Fail(404, $"The topic of the {kind} '{name}' does not exist any more."),
                _ => AdminAnswer.Fail(507, $"The limit of entities is reached ({EntitySetReader.MostEntities})."),
            };
        }
        catch (IOException exception)
        {
            return AdminAnswer.Fail(507, $"The {kind} '{name}' could not be stored: {exception.Message}");
        }
    }

    public static AdminAnswer Deleted(Func<bool> delete, string kind, string name)
    {
        try
        {
            return delete() ? AdminAnswer.Empty(204) : NotFound(kind, name);
        }
        catch (IOException exception)
        {
            return AdminAnswer.Fail(507, $"The {kind} '{name}' could not be removed from the disk: {exception.Message}");
        }
    }
}
